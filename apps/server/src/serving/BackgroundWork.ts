import { Accounts } from "@community-messaging/domain/account/Accounts"
import { UserRepository } from "@community-messaging/domain/account/UserRepository"
import type { DueWork } from "@community-messaging/domain/DueWork"
import { ConsentRepository } from "@community-messaging/domain/oauth2/ConsentRepository"
import { ScheduledMessageRepository } from "@community-messaging/domain/scheduled-message/ScheduledMessageRepository"
import { ScheduledMessages } from "@community-messaging/domain/scheduled-message/ScheduledMessages"
import type { StorageError } from "@community-messaging/domain/StorageError"
import { WebhookRepository } from "@community-messaging/domain/webhook/WebhookRepository"
import { DELIVERY_MEMORY } from "@community-messaging/domain/webhook/Webhooks"
import { DateTime, Duration, Effect, Layer, Option } from "effect"

/** Items handled at a time. */
const BATCH = 50

/** How long storage is left alone after it failed. */
const PAUSE_AFTER_FAILURE = Duration.seconds(5)

/** How often what nobody needs any more is removed. */
const SWEEP_INTERVAL = Duration.minutes(10)

/** Does the work for ever; what goes wrong with storage is told and tried again later. */
const forever = (name: string, once: Effect.Effect<void, StorageError>): Effect.Effect<never> =>
  once.pipe(
    Effect.catchAll((error) =>
      Effect.logWarning(`${name}: storage failed`, error).pipe(Effect.zipRight(Effect.sleep(PAUSE_AFTER_FAILURE)))
    ),
    Effect.forever
  )

/**
 * Handles what is due, then sleeps until the next is. Never longer than `longestSleep`: another process that shares the
 * storage may put in something sooner, and nobody wakes this one then.
 */
const whenDue = (options: {
  readonly work: (limit: number) => Effect.Effect<DueWork, StorageError>
  readonly nextAt: Effect.Effect<Option.Option<DateTime.Utc>, StorageError>
  readonly longestSleep: Duration.Duration
}): Effect.Effect<void, StorageError> =>
  Effect.gen(function*() {
    const { claimed } = yield* options.work(BATCH)
    if (claimed >= BATCH) return
    const nextAt = yield* options.nextAt
    const now = yield* DateTime.now
    const untilNext = Option.match(nextAt, {
      onNone: () => options.longestSleep,
      onSome: (moment) => Duration.millis(Math.max(1, DateTime.distance(now, moment)))
    })
    yield* Effect.sleep(Duration.min(untilNext, options.longestSleep))
  })

/** Removes all that there is to remove, a batch at a time. */
const sweep = (remove: (limit: number) => Effect.Effect<number, StorageError>): Effect.Effect<void, StorageError> =>
  Effect.asVoid(Effect.repeat(remove(BATCH), { while: (removed) => removed >= BATCH }))

/** Posts scheduled messages, deletes accounts and removes what has expired, for as long as the layer lives. */
export const layer = Layer.scopedDiscard(Effect.gen(function*() {
  const accounts = yield* Accounts
  const users = yield* UserRepository
  const scheduledMessages = yield* ScheduledMessages
  const scheduledMessageRepository = yield* ScheduledMessageRepository
  const consents = yield* ConsentRepository
  const webhooks = yield* WebhookRepository

  const messages = whenDue({
    work: scheduledMessages.dispatchDue,
    nextAt: scheduledMessageRepository.nextDueAt,
    longestSleep: Duration.seconds(1)
  })
  const deletions = whenDue({
    work: accounts.deleteDue,
    nextAt: users.nextDeletionAt,
    longestSleep: Duration.minutes(1)
  })
  const expired = Effect.gen(function*() {
    const now = yield* DateTime.now
    yield* sweep(scheduledMessages.removeExpired)
    yield* sweep((limit) => consents.removeCodesExpiredBefore(now, limit))
    yield* sweep((limit) => webhooks.forgetDeliveries(DateTime.subtractDuration(now, DELIVERY_MEMORY), limit))
    yield* Effect.sleep(SWEEP_INTERVAL)
  })

  yield* Effect.forkScoped(forever("Scheduled messages", messages))
  yield* Effect.forkScoped(forever("Deletions of accounts", deletions))
  yield* Effect.forkScoped(forever("Removal of what has expired", expired))
}))
