import { Context, type DateTime, type Effect, type Option, Schema } from "effect"
import type { UserId } from "../account/User.ts"
import type { StorageError } from "../shared-kernel/StorageError.ts"
import { type ScheduledMessage, ScheduledMessageId } from "./ScheduledMessage.ts"
import { ScheduledMessageStatus } from "./ScheduledMessageStatus.ts"

/** The stored message is not in the expected status, or the change of status is not allowed. */
export class ScheduledMessageConflict
  extends Schema.TaggedError<ScheduledMessageConflict>()("ScheduledMessageConflict", {
    scheduledMessageId: ScheduledMessageId,
    expected: ScheduledMessageStatus
  })
{
  override get message(): string {
    return "The scheduled message was changed in the meantime."
  }
}

/** A due message, as a worker claims it. */
export type ClaimedMessage = Pick<ScheduledMessage, "id" | "authorId">

/** Port: stores scheduled messages. */
export class ScheduledMessageRepository
  extends Context.Tag("@community-messaging/domain/ScheduledMessageRepository")<ScheduledMessageRepository, {
    readonly find: (id: ScheduledMessageId) => Effect.Effect<Option.Option<ScheduledMessage>, StorageError>
    /** Inserts a message in any status. Its author must exist; its channel need not. */
    readonly insert: (message: ScheduledMessage) => Effect.Effect<void, StorageError>
    /**
     * Updates a message if the stored one is in the expected status and the transition table allows the change. An
     * undelivered message may also keep its status. Ends any claim on the message.
     */
    readonly update: (
      message: ScheduledMessage,
      expected: ScheduledMessageStatus
    ) => Effect.Effect<void, ScheduledMessageConflict | StorageError>
    /** Returns the author's undelivered messages, soonest first, ties by id. */
    readonly undelivered: (authorId: UserId) => Effect.Effect<ReadonlyArray<ScheduledMessage>, StorageError>
    /**
     * Returns up to `limit` of the author's messages in these statuses, latest scheduled time first, ties by larger id.
     */
    readonly inStatus: (options: {
      readonly authorId: UserId
      readonly statuses: ReadonlyArray<ScheduledMessageStatus>
      readonly limit: number
    }) => Effect.Effect<ReadonlyArray<ScheduledMessage>, StorageError>
    /** Returns all messages ordered by id, starting after `after`. */
    readonly list: (options: {
      readonly after: Option.Option<ScheduledMessageId>
      readonly limit: number
    }) => Effect.Effect<ReadonlyArray<ScheduledMessage>, StorageError>
    /**
     * Returns the ids of messages in status `pending`, ordered by id, starting after `after`. Reads no more of them, so that
     * a message that cannot be read does not delay the others.
     */
    readonly pending: (options: {
      readonly after: Option.Option<ScheduledMessageId>
      readonly limit: number
    }) => Effect.Effect<ReadonlyArray<ScheduledMessageId>, StorageError>
    /**
     * Claims up to `limit` messages in status `scheduled` that are due at `now` (by `nextAttemptAt`, or else
     * `scheduledAt`), soonest first; those of an ended claim may come later. Only one claimant gets each message, until
     * `leaseUntil`. Reads no more of them, so that a message that cannot be read does not delay the others.
     */
    readonly claimDue: (options: {
      readonly now: DateTime.Utc
      readonly leaseUntil: DateTime.Utc
      readonly limit: number
    }) => Effect.Effect<ReadonlyArray<ClaimedMessage>, StorageError>
    /** The earliest moment at which a message can be claimed: its due time, or the end of another claimant's lease. */
    readonly nextDueAt: Effect.Effect<Option.Option<DateTime.Utc>, StorageError>
    /** Returns how many messages can be claimed at `now`, at most `limit`. */
    readonly countDue: (now: DateTime.Utc, limit: number) => Effect.Effect<number, StorageError>
    /** Removes up to `limit` messages that ended before this moment. Returns the count. */
    readonly removeEndedBefore: (moment: DateTime.Utc, limit: number) => Effect.Effect<number, StorageError>
  }>()
{}
