import { DueDeletions } from "@community-messaging/domain/account-deletion/DueDeletions"
import * as EventRetention from "@community-messaging/domain/event/EventRetention"
import { Consents } from "@community-messaging/domain/oauth2/Consents"
import { ScheduledMessages } from "@community-messaging/domain/scheduled-message/ScheduledMessages"
import type { BatchResult } from "@community-messaging/domain/shared-kernel/BatchResult"
import { EventLog } from "@community-messaging/domain/shared-kernel/EventLog"
import type { StorageError } from "@community-messaging/domain/shared-kernel/StorageError"
import { Webhooks } from "@community-messaging/domain/webhook/Webhooks"
import { DateTime, Duration, Effect, Layer, Option, Queue } from "effect"

/** Items handled at a time: SQLite works synchronously, and requests wait until a batch is done. */
const BATCH = 10

/**
 * Lets Node look after its sockets. Effect's own yielding goes on within the same turn of the event loop up to some
 * thousand times, in which no request would be read.
 */
const yieldToEventLoop = Effect.async<void>((resume) => {
  setImmediate(() => resume(Effect.void))
})

/** How long work is left alone after it failed. */
const PAUSE_AFTER_FAILURE = Duration.seconds(5)

/** Timers hold no more than about 24 days; nothing is lost by looking once in a while. */
const LONGEST_SLEEP = Duration.hours(1)

/** How long commits are gathered before it is asked again what is due next. */
const SETTLE = Duration.millis(50)

/** How often what nobody needs any more is removed. */
const SWEEP_INTERVAL = Duration.minutes(10)

/** Does the work for ever; whatever goes wrong is told and tried again later. */
const forever = <R>(name: string, once: Effect.Effect<void, StorageError, R>): Effect.Effect<never, never, R> =>
  once.pipe(
    Effect.catchAllCause((cause) =>
      Effect.logWarning(`${name}: failed`, cause).pipe(Effect.zipRight(Effect.sleep(PAUSE_AFTER_FAILURE)))
    ),
    Effect.forever
  )

/**
 * Handles what is due, a batch at a time so that requests have their turn, then sleeps until the next is due or until a
 * commit may have brought something earlier forward: whatever changes what is due appends an event.
 */
const whenDue = (options: {
  readonly what: string
  readonly work: (limit: number) => Effect.Effect<BatchResult, StorageError>
  readonly nextAt: Effect.Effect<Option.Option<DateTime.Utc>, StorageError>
  readonly appended: Queue.Dequeue<void>
  /** Whether what failed is there again at once, as no lease holds it back: then it is left alone for a while. */
  readonly failuresStay?: boolean
}): Effect.Effect<void, StorageError> =>
  Effect.gen(function*() {
    const { claimed, done, failed } = yield* options.work(BATCH)
    if (claimed > 0) yield* Effect.annotateLogs(Effect.logInfo(options.what), { claimed, done, failed })
    if (failed > 0 && options.failuresStay === true) return yield* Effect.sleep(PAUSE_AFTER_FAILURE)
    if (claimed >= BATCH) return yield* yieldToEventLoop
    const nextAt = yield* options.nextAt
    const now = yield* DateTime.now
    const untilNext = Option.match(nextAt, {
      onNone: () => LONGEST_SLEEP,
      onSome: (moment) => Duration.millis(Math.max(1, DateTime.distance(now, moment)))
    })
    yield* Effect.race(
      Effect.sleep(Duration.min(untilNext, LONGEST_SLEEP)),
      // Many commits in a row are looked at once.
      Effect.zipRight(Queue.take(options.appended), Effect.sleep(SETTLE))
    )
  })

/** Removes all that there is to remove, a batch at a time. */
const sweep = <R>(
  remove: (limit: number) => Effect.Effect<number, StorageError, R>
): Effect.Effect<void, StorageError, R> =>
  Effect.asVoid(
    Effect.repeat(Effect.zipLeft(remove(BATCH), yieldToEventLoop), { while: (removed) => removed >= BATCH })
  )

/** Checks pending messages, posts scheduled ones, deletes accounts and removes what has expired, for as long as the layer lives. */
export const layer = Layer.scopedDiscard(Effect.gen(function*() {
  const dueDeletions = yield* DueDeletions
  const scheduledMessages = yield* ScheduledMessages
  const consents = yield* Consents
  const webhooks = yield* Webhooks
  const events = yield* EventLog

  const messages = whenDue({
    what: "Scheduled messages handled",
    work: scheduledMessages.dispatchDue,
    nextAt: scheduledMessages.nextDueAt,
    appended: yield* events.subscribe
  })
  const pending = whenDue({
    what: "Pending scheduled messages checked",
    work: scheduledMessages.armPending,
    // Only a commit brings in what is pending.
    nextAt: Effect.succeedNone,
    failuresStay: true,
    appended: yield* events.subscribe
  })
  const deletions = whenDue({
    what: "Due deletions of accounts handled",
    work: dueDeletions.deleteDue,
    nextAt: dueDeletions.nextDueAt,
    appended: yield* events.subscribe
  })
  const expired = Effect.gen(function*() {
    yield* sweep(scheduledMessages.removeExpired)
    yield* sweep(consents.removeExpiredCodes)
    yield* sweep(webhooks.forgetDeliveries)
    yield* sweep(EventRetention.removeExpired)
    yield* Effect.sleep(SWEEP_INTERVAL)
  })

  yield* Effect.forkScoped(forever("Pending scheduled messages", pending))
  yield* Effect.forkScoped(forever("Scheduled messages", messages))
  yield* Effect.forkScoped(forever("Deletions of accounts", deletions))
  yield* Effect.forkScoped(forever("Removal of what has expired", expired))
}))
