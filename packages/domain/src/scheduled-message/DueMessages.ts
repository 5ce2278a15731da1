import { type Cause, DateTime, Effect, Either, Option, Random } from "effect"
import type { GuildId } from "../guild/Guild.ts"
import { type Message, MessageId } from "../message/Message.ts"
import { messageCreated } from "../message/MessageEvents.ts"
import { MessageRepository } from "../message/MessageRepository.ts"
import * as Aggregate from "../shared-kernel/Aggregate.ts"
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

/** Makes `ScheduledMessages.dispatchDue`: claims due messages and posts each in one transaction. */
export const makeDispatchDue = Effect.gen(function*() {
  const scheduledMessages = yield* ScheduledMessageRepository
  const messages = yield* MessageRepository
  const events = yield* EventLog
  const snowflakes = yield* SnowflakeGenerator
  const { atomically, lock } = yield* UnitOfWork
  const lease = yield* ClaimLease
  const deliverability = yield* makeDeliverability

  const keep = (message: ScheduledMessage.ScheduledMessage, before: ScheduledMessageStatus) =>
    Effect.zipRight(
      scheduledMessages.update(message, before),
      events.append(scheduledMessageUpdated(message))
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
      yield* events.append(messageCreated(posted))
    })

  /** Locks the author's account, and returns the stored message if it is still due. */
  const stillDue = ({ authorId, id }: ClaimedMessage, now: DateTime.Utc) =>
    Effect.map(
      Effect.zipRight(lock(Aggregate.account(authorId)), scheduledMessages.find(id)),
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
        yield* keep(yield* ScheduledMessage.invalidate(message, checked.left, now), message.status)
        return true
      }
      const sent = yield* ScheduledMessage.markSent(message, now)
      yield* post(message, checked.right, now)
      yield* keep(sent, message.status)
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
        yield* keep(failed, message.status)
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
    Effect.annotateLogs(Effect.logError("A scheduled message failed for good, after its last attempt"), {
      scheduled_message_id: id
    })

  /** Logs and records a failed attempt. */
  const onFailure = (claimed: ClaimedMessage, cause: Cause.Cause<unknown>) =>
    Effect.gen(function*() {
      yield* Effect.annotateLogs(Effect.logError("A scheduled message could not be delivered"), {
        scheduled_message_id: claimed.id,
        cause: LoggedCause.describe(cause)
      })
      // If this fails too, storage is unavailable, or the message cannot be read: it is claimed again after the lease.
      const isFinal = yield* Effect.orElseSucceed(recordFailure(claimed), () => false)
      if (isFinal) yield* logFinal(claimed)
    })

  return (limit: number): Effect.Effect<BatchResult, StorageError> =>
    Effect.gen(function*() {
      const { claimDue, nextDueAt } = scheduledMessages
      const claimed = yield* claimIfDue(nextDueAt, lease, limit, claimDue)
      return yield* handleEach(claimed, deliver, onFailure)
    })
})
