import { DateTime, Effect, Either, Option } from "effect"
import * as Events from "../DomainEvent.ts"
import type { DueWork } from "../DueWork.ts"
import { EventLog } from "../EventLog.ts"
import { PARTS_CHECKED } from "../PartsChecked.ts"
import type { StorageError } from "../StorageError.ts"
import { UnitOfWork } from "../UnitOfWork.ts"
import { makeDeliverability } from "./Deliverability.ts"
import * as ScheduledMessage from "./ScheduledMessage.ts"
import { ScheduledMessageRepository } from "./ScheduledMessageRepository.ts"

/** Makes `ScheduledMessages.armPending`: checks messages that were brought in as `pending`, each in one transaction. */
export const makeArmPending = Effect.gen(function*() {
  const scheduledMessages = yield* ScheduledMessageRepository
  const events = yield* EventLog
  const { atomically } = yield* UnitOfWork
  const deliverability = yield* makeDeliverability

  /** Arms the message, or marks it invalid; false where it is not pending any more. */
  const arm = (id: ScheduledMessage.ScheduledMessageId) =>
    Effect.gen(function*() {
      const found = yield* scheduledMessages.find(id)
      const message = Option.getOrUndefined(Option.filter(found, ({ status }) => status === "pending"))
      if (message === undefined) return false
      const now = yield* DateTime.now
      const checked = yield* Either.match(yield* deliverability(message), {
        onLeft: (reason) => ScheduledMessage.invalidate(message, reason, now),
        onRight: () => ScheduledMessage.arm(message)
      })
      yield* scheduledMessages.update(checked, message.status)
      yield* events.append(Events.ScheduledMessageUpdated.make({
        version: 1,
        scheduledMessageId: id,
        authorId: message.authorId,
        status: checked.status
      }, PARTS_CHECKED))
      return true
    }).pipe(atomically)

  const attempt = (id: ScheduledMessage.ScheduledMessageId) =>
    Effect.catchAllCause(
      arm(id),
      (cause) =>
        Effect.logError("A pending message could not be checked", cause).pipe(
          Effect.annotateLogs("scheduled_message_id", id),
          Effect.as("failed" as const)
        )
    )

  return (limit: number): Effect.Effect<DueWork, StorageError> =>
    Effect.gen(function*() {
      const pending = yield* scheduledMessages.pending(limit)
      const outcomes = yield* Effect.forEach(pending, attempt)
      return {
        claimed: pending.length,
        done: outcomes.filter((outcome) => outcome === true).length,
        failed: outcomes.filter((outcome) => outcome === "failed").length
      }
    })
})
