import { DateTime, Duration, Effect, Either, Option, Schema } from "effect"
import { UserId } from "../account/User.ts"
import { ChannelId } from "../guild/Channel.ts"
import type { MessagePayload } from "../message/MessagePayload.ts"
import type { BatchResult } from "../shared-kernel/BatchResult.ts"
import { EventLog } from "../shared-kernel/EventLog.ts"
import { toId } from "../shared-kernel/Snowflake.ts"
import { SnowflakeGenerator } from "../shared-kernel/SnowflakeGenerator.ts"
import type { StorageError } from "../shared-kernel/StorageError.ts"
import { traced } from "../shared-kernel/Traced.ts"
import { UnitOfWork } from "../shared-kernel/UnitOfWork.ts"
import { UseCase } from "../shared-kernel/UseCase.ts"
import { makeDeliverability } from "./Deliverability.ts"
import { makeDueMessages, type PendingBatch, type PendingOptions } from "./DueMessages.ts"
import { toInstant } from "./LocalTime.ts"
import * as ScheduledMessage from "./ScheduledMessage.ts"
import { scheduledMessageUpdated } from "./ScheduledMessageEvents.ts"
import { type ScheduledMessageConflict, ScheduledMessageRepository } from "./ScheduledMessageRepository.ts"
import type { ScheduledMessageStatus } from "./ScheduledMessageStatus.ts"
import { type ScheduledTimeOutOfRange, withinWindow } from "./ScheduleWindow.ts"

/** The maximum number of messages in a list by status (API gaps, Scheduled messages). */
const MAX_LISTED = 100

/** How long a message is stored after it ends (API gaps, Scheduled messages). */
export const RETENTION = Duration.days(31)

/** The scheduled message does not exist, or another account is its author. */
export class UnknownScheduledMessage extends Schema.TaggedError<UnknownScheduledMessage>()("UnknownScheduledMessage", {
  scheduledMessageId: ScheduledMessage.ScheduledMessageId
}) {
  override get message(): string {
    return `There is no scheduled message ${this.scheduledMessageId} of that author.`
  }
}

/** The author already has the maximum number of undelivered messages. */
export class TooManyScheduledMessages
  extends Schema.TaggedError<TooManyScheduledMessages>()("TooManyScheduledMessages", {
    authorId: UserId,
    maximum: Schema.Int
  })
{
  override get message(): string {
    return `The author has ${this.maximum} undelivered messages, which is the maximum.`
  }
}

/** The message cannot be posted. `reason` is a text for its author. */
export class UndeliverableMessage extends Schema.TaggedError<UndeliverableMessage>()("UndeliverableMessage", {
  channelId: ChannelId,
  reason: Schema.String
}) {
  override get message(): string {
    return `The message cannot be posted in channel ${this.channelId}: ${this.reason}`
  }
}

/** The content of a message, its channel and its time. */
export interface Schedule {
  readonly channelId: ChannelId
  readonly scheduledLocalAt: ScheduledMessage.LocalDateTime
  readonly timezone: ScheduledMessage.TimeZoneName
  readonly payload: MessagePayload
}

/** The changes of an edit. What is undefined or left out stays as it is. */
export type Changes = { readonly [Name in keyof Schedule]?: Schedule[Name] | undefined }

type ScheduleError = ScheduledTimeOutOfRange | UndeliverableMessage | StorageError
type ChangeConflict = ScheduledMessage.IllegalScheduledMessageTransition | ScheduledMessageConflict

/**
 * The use cases of scheduled messages: those of their authors, and the background work. Source: API gaps, Scheduled
 * messages.
 */
export class ScheduledMessages extends UseCase<ScheduledMessages, {
  /**
   * Returns the author's messages. Without statuses: all undelivered ones, soonest first. With statuses: those in one
   * of them, the latest first, at most 100. Ties by id. Source: API reference, List scheduled messages.
   */
  readonly list: (
    authorId: UserId,
    statuses: ReadonlyArray<ScheduledMessageStatus>
  ) => Effect.Effect<ReadonlyArray<ScheduledMessage.ScheduledMessage>, StorageError>
  /** Schedules a message. Checks and arms it immediately, or fails. */
  readonly schedule: (
    authorId: UserId,
    schedule: Schedule
  ) => Effect.Effect<ScheduledMessage.ScheduledMessage, ScheduleError | TooManyScheduledMessages>
  /** Edits an undelivered message. Checks and arms it, or fails. Attempts are counted from 0 again. */
  readonly edit: (
    authorId: UserId,
    id: ScheduledMessage.ScheduledMessageId,
    changes: Changes
  ) => Effect.Effect<ScheduledMessage.ScheduledMessage, ScheduleError | ChangeConflict | UnknownScheduledMessage>
  /** Cancels an undelivered message. */
  readonly cancel: (
    authorId: UserId,
    id: ScheduledMessage.ScheduledMessageId
  ) => Effect.Effect<ScheduledMessage.ScheduledMessage, ChangeConflict | UnknownScheduledMessage | StorageError>
  /**
   * Checks up to `limit` messages in status `pending`, such as imported ones, ordered by id, starting after `after`. Each
   * becomes `scheduled`, or `invalid` with the reason.
   */
  readonly armPending: (options: PendingOptions) => Effect.Effect<PendingBatch, StorageError>
  /**
   * Posts up to `limit` due messages, each exactly once, in one transaction with its change to `sent`. A message that
   * cannot be posted becomes `invalid`; a failed attempt is repeated, up to five attempts in total.
   */
  readonly dispatchDue: (limit: number) => Effect.Effect<BatchResult, StorageError>
  /** The earliest time at which a message can be claimed. */
  readonly nextDueAt: Effect.Effect<Option.Option<DateTime.Utc>, StorageError>
  /** Removes up to `limit` messages that ended more than 31 days ago. Returns the count. */
  readonly removeExpired: (limit: number) => Effect.Effect<number, StorageError>
}>()(
  "@community-messaging/domain/ScheduledMessages",
  Effect.gen(function*() {
    const repository = yield* ScheduledMessageRepository
    const events = yield* EventLog
    const snowflakes = yield* SnowflakeGenerator
    const { atomically, lock } = yield* UnitOfWork
    const deliverability = yield* makeDeliverability
    const { armPending, dispatchDue } = yield* makeDueMessages

    const own = (authorId: UserId, id: ScheduledMessage.ScheduledMessageId) =>
      Effect.flatMap(
        repository.find(id),
        (found) =>
          Either.fromOption(
            Option.filter(found, (message) => message.authorId === authorId),
            () => new UnknownScheduledMessage({ scheduledMessageId: id })
          )
      )

    const instantOf = (schedule: Pick<Schedule, "scheduledLocalAt" | "timezone">) =>
      Effect.flatMap(
        DateTime.now,
        (now) => withinWindow(toInstant(schedule.scheduledLocalAt, schedule.timezone), now)
      )

    const requireDeliverable = (message: ScheduledMessage.ScheduledMessage) =>
      Effect.flatMap(
        deliverability(message),
        Either.mapLeft((reason) => new UndeliverableMessage({ channelId: message.channelId, reason }))
      )

    return {
      list: (authorId, statuses) =>
        statuses.length === 0
          ? repository.undelivered(authorId)
          : repository.inStatus({ authorId, statuses, limit: MAX_LISTED }),
      schedule: Effect.fnUntraced(
        // Not all fields: the object may have more, such as a stored message.
        function*(authorId, { channelId, payload, scheduledLocalAt, timezone }) {
          yield* lock({ kind: "account", id: authorId })
          const undelivered = yield* repository.undelivered(authorId)
          const maximum = ScheduledMessage.MAX_UNDELIVERED_PER_USER
          if (undelivered.length >= maximum) return yield* new TooManyScheduledMessages({ authorId, maximum })
          const message = ScheduledMessage.ScheduledMessage.make({
            id: toId(ScheduledMessage.ScheduledMessageId, yield* snowflakes.next),
            authorId,
            channelId,
            scheduledAt: yield* instantOf({ scheduledLocalAt, timezone }),
            scheduledLocalAt,
            timezone,
            status: "scheduled",
            payload,
            createdAt: yield* DateTime.now
          })
          yield* requireDeliverable(message)
          yield* repository.insert(message)
          yield* events.append(scheduledMessageUpdated(message))
          return message
        },
        atomically,
        traced("ScheduledMessages.schedule")
      ),
      edit: Effect.fnUntraced(
        function*(authorId, id, changes) {
          yield* lock({ kind: "account", id: authorId })
          const before = yield* own(authorId, id)
          const open = before.status === "pending" || before.status === "scheduled"
            ? before
            : yield* ScheduledMessage.reopen(before)
          const timed = changes.scheduledLocalAt !== undefined || changes.timezone !== undefined || open !== before
          const merged = {
            ...open,
            channelId: changes.channelId ?? open.channelId,
            scheduledLocalAt: changes.scheduledLocalAt ?? open.scheduledLocalAt,
            timezone: changes.timezone ?? open.timezone,
            payload: changes.payload ?? open.payload
          }
          const edited = {
            ...merged,
            scheduledAt: timed ? yield* instantOf(merged) : merged.scheduledAt,
            attempts: 0,
            nextAttemptAt: Option.none()
          }
          yield* requireDeliverable(edited)
          yield* repository.update(edited, before.status)
          const armed = edited.status === "pending" ? yield* ScheduledMessage.arm(edited) : edited
          if (armed !== edited) yield* repository.update(armed, edited.status)
          yield* events.append(scheduledMessageUpdated(armed))
          return armed
        },
        atomically,
        traced("ScheduledMessages.edit")
      ),
      cancel: Effect.fnUntraced(
        function*(authorId, id) {
          yield* lock({ kind: "account", id: authorId })
          const before = yield* own(authorId, id)
          const cancelled = yield* ScheduledMessage.cancel(before, Option.none(), yield* DateTime.now)
          yield* repository.update(cancelled, before.status)
          yield* events.append(scheduledMessageUpdated(cancelled))
          return cancelled
        },
        atomically,
        traced("ScheduledMessages.cancel")
      ),
      armPending,
      dispatchDue,
      nextDueAt: repository.nextDueAt,
      removeExpired: (limit) =>
        Effect.flatMap(
          DateTime.now,
          (now) => repository.removeEndedBefore(DateTime.subtractDuration(now, RETENTION), limit)
        )
    }
  })
) {}
