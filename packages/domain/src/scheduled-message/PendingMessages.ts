import { Array as Arrays, DateTime, Effect, Either, Option } from "effect"
import * as Aggregate from "../shared-kernel/Aggregate.ts"
import { type BatchResult, handleEach } from "../shared-kernel/BatchResult.ts"
import { EventLog } from "../shared-kernel/EventLog.ts"
import * as LoggedCause from "../shared-kernel/LoggedCause.ts"
import type { StorageError } from "../shared-kernel/StorageError.ts"
import { UnitOfWork } from "../shared-kernel/UnitOfWork.ts"
import { makeDeliverability } from "./Deliverability.ts"
import * as ScheduledMessage from "./ScheduledMessage.ts"
import { scheduledMessageUpdated } from "./ScheduledMessageEvents.ts"
import { ScheduledMessageRepository } from "./ScheduledMessageRepository.ts"

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

/** Makes `ScheduledMessages.armPending`: checks imported `pending` messages, each in one transaction. */
export const makeArmPending = Effect.gen(function*() {
  const scheduledMessages = yield* ScheduledMessageRepository
  const events = yield* EventLog
  const { atomically, lock } = yield* UnitOfWork
  const deliverability = yield* makeDeliverability

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
      yield* lock(Aggregate.account(listed.authorId))
      const message = yield* pendingOf(id)
      if (message === undefined) return false
      const now = yield* DateTime.now
      const checked = yield* Either.match(yield* deliverability(message), {
        onLeft: (reason) => ScheduledMessage.invalidate(message, reason, now),
        onRight: () => ScheduledMessage.arm(message)
      })
      yield* scheduledMessages.update(checked, message.status)
      yield* events.append(scheduledMessageUpdated(checked))
      return true
    }).pipe(
      atomically,
      // The author or another server changed it first.
      Effect.catchTag("ScheduledMessageConflict", () => Effect.succeed(false))
    )

  return (options: PendingOptions): Effect.Effect<PendingBatch, StorageError> =>
    Effect.flatMap(
      scheduledMessages.pending(options),
      (pending) =>
        handleEach(pending, arm, (id, cause) =>
          Effect.annotateLogs(Effect.logError("A pending message could not be checked"), {
            scheduled_message_id: id,
            cause: LoggedCause.describe(cause)
          })).pipe(Effect.map((result) => ({ ...result, last: Arrays.last(pending) })))
    )
})
