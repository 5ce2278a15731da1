import { Context, type DateTime, type Effect, type Option, Schema } from "effect"
import type { UserId } from "../account/User.ts"
import type { StorageError } from "../shared-kernel/StorageError.ts"
import { type ScheduledMessage, ScheduledMessageId } from "./ScheduledMessage.ts"
import { ScheduledMessageStatus } from "./ScheduledMessageStatus.ts"

/** The stored message is not, or no longer, in the status that the change began from, or that step is not allowed. */
export class ScheduledMessageConflict
  extends Schema.TaggedError<ScheduledMessageConflict>()("ScheduledMessageConflict", {
    scheduledMessageId: ScheduledMessageId,
    expected: ScheduledMessageStatus
  })
{}

/** Port: the scheduled messages. */
export class ScheduledMessageRepository
  extends Context.Tag("@community-messaging/domain/ScheduledMessageRepository")<ScheduledMessageRepository, {
    readonly find: (id: ScheduledMessageId) => Effect.Effect<Option.Option<ScheduledMessage>, StorageError>
    /** Keeps a new message, in whatever status it has. Its author exists; its channel may be gone. */
    readonly insert: (message: ScheduledMessage) => Effect.Effect<void, StorageError>
    /**
     * Keeps a changed message, provided that the stored one is in the expected status and that the transition table
     * allows the step (staying in a status is allowed while undelivered). Ends any claim on it.
     */
    readonly update: (
      message: ScheduledMessage,
      expected: ScheduledMessageStatus
    ) => Effect.Effect<void, ScheduledMessageConflict | StorageError>
    /** The author's undelivered messages, soonest first, ties by id. */
    readonly undelivered: (authorId: UserId) => Effect.Effect<ReadonlyArray<ScheduledMessage>, StorageError>
    /** The author's messages in those statuses, newest scheduled time first, ties by id in that direction; at most `limit`. */
    readonly inStatus: (options: {
      readonly authorId: UserId
      readonly statuses: ReadonlyArray<ScheduledMessageStatus>
      readonly limit: number
    }) => Effect.Effect<ReadonlyArray<ScheduledMessage>, StorageError>
    /** All messages in the order of their ids, beginning after `after`. */
    readonly list: (options: {
      readonly after: Option.Option<ScheduledMessageId>
      readonly limit: number
    }) => Effect.Effect<ReadonlyArray<ScheduledMessage>, StorageError>
    /** The ids of up to `limit` messages in status `pending`, in their order. */
    readonly pending: (limit: number) => Effect.Effect<ReadonlyArray<ScheduledMessageId>, StorageError>
    /**
     * Up to `limit` messages in status `scheduled` whose time (`nextAttemptAt`, or else `scheduledAt`) has come at `now`,
     * soonest first, each given to one claimant alone until `leaseUntil`.
     */
    readonly claimDue: (options: {
      readonly now: DateTime.Utc
      readonly leaseUntil: DateTime.Utc
      readonly limit: number
    }) => Effect.Effect<ReadonlyArray<ScheduledMessage>, StorageError>
    /** The earliest moment at which a message can be claimed: its time, or the end of another claimant's lease. */
    readonly nextDueAt: Effect.Effect<Option.Option<DateTime.Utc>, StorageError>
    /** Removes messages that ended before that moment, at most `limit`; returns the count. */
    readonly removeEndedBefore: (moment: DateTime.Utc, limit: number) => Effect.Effect<number, StorageError>
  }>()
{}
