import { Array as Arrays, type Cause, DateTime, Effect, Either, Option, Random } from "effect"
import type { GuildId } from "../guild/Guild.ts"
import { type Message, MessageId } from "../message/Message.ts"
import { MessageCreated } from "../message/MessageEvents.ts"
import { MessageRepository } from "../message/MessageRepository.ts"
import { type BatchResult, handleEach } from "../shared-kernel/BatchResult.ts"
import { claimIfDue, ClaimLease } from "../shared-kernel/ClaimLease.ts"
import { EventLog } from "../shared-kernel/EventLog.ts"
import * as LoggedCause from "../shared-kernel/LoggedCause.ts"
import { toId } from "../shared-kernel/Snowflake.ts"
import { SnowflakeGenerator } from "../shared-kernel/SnowflakeGenerator.ts"
import type { StorageError } from "../shared-kernel/StorageError.ts"
import { UnitOfWork } from "../shared-kernel/UnitOfWork.ts"
import { makeDeliverability } from "./Deliverability.ts"
import { MAX_ATTEMPTS, retryDelay } from "./DeliveryAttempt.ts"
import * as ScheduledMessage from "./ScheduledMessage.ts"
import { scheduledMessageUpdated } from "./ScheduledMessageEvents.ts"
import { type ClaimedMessage, ScheduledMessageRepository } from "./ScheduledMessageRepository.ts"
import type { ScheduledMessageStatus } from "./ScheduledMessageStatus.ts"

/** The result of one batch of pending messages. */
export interface PendingBatch extends BatchResult {
  /** The last message of the batch, after which the next batch starts. */
  readonly last: Option.Option<ScheduledMessage.ScheduledMessageId>
}

/** The messages that a batch is about. */
export interface PendingOptions {
  readonly after: Option.Option<ScheduledMessage.ScheduledMessageId>
  readonly limit: number
}

/**
 * Makes the background work of `ScheduledMessages`, each message in one transaction: `armPending` checks imported `pending`
 * messages, `dispatchDue` claims due messages and posts them.
 */
export const makeDueMessages = Effect.gen(function*() {
  const scheduledMessages = yield* ScheduledMessageRepository
  const messages = yield* MessageRepository
  const events = yield* EventLog
  const snowflakes = yield* SnowflakeGenerator
  const { atomically, lock } = yield* UnitOfWork
  const lease = yield* ClaimLease
  const deliverability = yield* makeDeliverability

  const updateWithEvent = (message: ScheduledMessage.ScheduledMessage, before: ScheduledMessageStatus) =>
    Effect.zipRight(
      scheduledMessages.update(message, before),
      events.append(scheduledMessageUpdated(message))
    )

  const logError = (message: string, id: ScheduledMessage.ScheduledMessageId, cause: Cause.Cause<unknown>) =>
    Effect.annotateLogs(Effect.logError(message), { scheduled_message_id: id, cause: LoggedCause.describe(cause) })

  const pendingOf = (id: ScheduledMessage.ScheduledMessageId) =>
    Effect.map(
      scheduledMessages.find(id),
      (found) => Option.getOrUndefined(Option.filter(found, ({ status }) => status === "pending"))
    )

  /** Arms the message or marks it invalid. Returns false if it is not pending any more. */
  const arm = (id: ScheduledMessage.ScheduledMessageId) =>
    Effect.gen(function*() {
      const listed = yield* pendingOf(id)
      if (listed === undefined) return false
      yield* lock({ kind: "account", id: listed.authorId })
      const message = yield* pendingOf(id)
      if (message === undefined) return false
      const now = yield* DateTime.now
      const checked = yield* Either.match(yield* deliverability(message), {
        onLeft: (reason) => ScheduledMessage.invalidate(message, reason, now),
        onRight: () => ScheduledMessage.arm(message)
      })
      yield* updateWithEvent(checked, message.status)
      return true
    }).pipe(
      atomically,
      // The author or another server changed it first.
      Effect.catchTag("ScheduledMessageConflict", () => Effect.succeed(false))
    )

  const post = (message: ScheduledMessage.ScheduledMessage, guildId: GuildId, now: DateTime.Utc) =>
    Effect.gen(function*() {
      const posted: Message = {
        id: toId(MessageId, yield* snowflakes.next),
        channelId: message.channelId,
        guildId,
        author: { _tag: "User", userId: message.authorId },
        payload: message.payload,
        createdAt: now
      }
      yield* messages.insert(posted)
      yield* events.append(MessageCreated.of({ message: posted }))
    })

  /** Locks the author's account, and returns the stored message if it is still due. */
  const stillDue = ({ authorId, id }: ClaimedMessage, now: DateTime.Utc) =>
    Effect.map(
      Effect.zipRight(lock({ kind: "account", id: authorId }), scheduledMessages.find(id)),
      Option.filter((message) =>
        message.status === "scheduled" && DateTime.lessThanOrEqualTo(ScheduledMessage.dueAt(message), now)
      )
    )

  /** Posts the message or marks it invalid. Returns false if it is not due any more. */
  const deliver = (claimed: ClaimedMessage) =>
    Effect.gen(function*() {
      const now = yield* DateTime.now
      const message = Option.getOrUndefined(yield* stillDue(claimed, now))
      if (message === undefined) return false
      const checked = yield* deliverability(message)
      if (Either.isLeft(checked)) {
        yield* updateWithEvent(yield* ScheduledMessage.invalidate(message, checked.left, now), message.status)
        return true
      }
      const sent = yield* ScheduledMessage.markSent(message, now)
      yield* post(message, checked.right, now)
      yield* updateWithEvent(sent, message.status)
      return true
    }).pipe(atomically)

  /** Records a failed attempt: schedules the next one, or marks the message as failed. Returns whether it failed. */
  const recordFailure = (claimed: ClaimedMessage) =>
    Effect.gen(function*() {
      const now = yield* DateTime.now
      const message = Option.getOrUndefined(yield* stillDue(claimed, now))
      if (message === undefined) return false
      const attempts = message.attempts + 1
      if (attempts >= MAX_ATTEMPTS) {
        const failed = yield* ScheduledMessage.fail(
          { ...message, attempts },
          `Delivery failed ${MAX_ATTEMPTS} times.`,
          now
        )
        yield* updateWithEvent(failed, message.status)
        return true
      }
      const delay = retryDelay(attempts, yield* Random.next)
      yield* scheduledMessages.update({
        ...message,
        attempts,
        nextAttemptAt: Option.some(DateTime.addDuration(now, delay))
      }, message.status)
      return false
    }).pipe(atomically)

  const logFinal = ({ id }: ClaimedMessage) =>
    Effect.annotateLogs(Effect.logError("A scheduled message failed, and is not tried again"), {
      scheduled_message_id: id
    })

  /** Logs and records a failed attempt. */
  const onFailure = (claimed: ClaimedMessage, cause: Cause.Cause<unknown>) =>
    Effect.gen(function*() {
      yield* logError("A scheduled message could not be delivered", claimed.id, cause)
      // If this fails too, storage is unavailable, or the message cannot be read: it is claimed again after the lease.
      const isFinal = yield* Effect.orElseSucceed(recordFailure(claimed), () => false)
      if (isFinal) yield* logFinal(claimed)
    })

  const armPending = (options: PendingOptions): Effect.Effect<PendingBatch, StorageError> =>
    Effect.flatMap(
      scheduledMessages.pending(options),
      (pending) =>
        handleEach(pending, arm, (id, cause) => logError("A pending message could not be checked", id, cause)).pipe(
          Effect.map((result) => ({ ...result, last: Arrays.last(pending) }))
        )
    )

  const dispatchDue = (limit: number): Effect.Effect<BatchResult, StorageError> =>
    Effect.gen(function*() {
      const { claimDue, nextDueAt } = scheduledMessages
      const claimed = yield* claimIfDue(nextDueAt, lease, limit, claimDue)
      return yield* handleEach(claimed, deliver, onFailure)
    })

  return { armPending, dispatchDue }
})
