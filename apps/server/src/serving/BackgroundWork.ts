import { DueDeletions } from "@community-messaging/domain/account-deletion/DueDeletions"
import * as EventRetention from "@community-messaging/domain/event/EventRetention"
import { Consents } from "@community-messaging/domain/oauth2/Consents"
import { ScheduledMessages } from "@community-messaging/domain/scheduled-message/ScheduledMessages"
import type { BatchResult } from "@community-messaging/domain/shared-kernel/BatchResult"
import { DeletedData } from "@community-messaging/domain/shared-kernel/DeletedData"
import { EventLog } from "@community-messaging/domain/shared-kernel/EventLog"
import type { StorageError } from "@community-messaging/domain/shared-kernel/StorageError"
import { Webhooks } from "@community-messaging/domain/webhook/Webhooks"
import { DateTime, Duration, Effect, Layer, Option, Queue } from "effect"

/** The number of items in a batch. SQLite works synchronously, so requests wait until a batch is done. */
const BATCH = 10

/**
 * Yields to the event loop, so that Node reads its sockets. Effect's own yielding continues in the same turn of the
 * event loop up to some thousand times, and no request is read in that time.
 */
const yieldToEventLoop = Effect.async<void>((resume) => {
  setImmediate(() => resume(Effect.void))
})

/** How long to wait after work failed. */
const PAUSE_AFTER_FAILURE = Duration.seconds(5)

/** The maximum time to sleep. Timers are limited to about 24 days, and checking every hour is cheap. */
const LONGEST_SLEEP = Duration.hours(1)

/** How long to collect commits before the next due time is read again. */
const SETTLE = Duration.millis(50)

/** How often expired data is removed. */
const SWEEP_INTERVAL = Duration.minutes(10)

/** Repeats the work forever. A failure is logged, and the work is tried again later. */
const forever = <R>(name: string, once: Effect.Effect<void, StorageError, R>): Effect.Effect<never, never, R> =>
  once.pipe(
    Effect.catchAllCause((cause) =>
      Effect.logWarning(`${name}: failed`, cause).pipe(Effect.zipRight(Effect.sleep(PAUSE_AFTER_FAILURE)))
    ),
    Effect.forever
  )

/**
 * Handles due items in batches, so that requests are served in between. Then sleeps until the next item is due or a
 * commit may have changed the next due time. Every change of a due time appends an event.
 */
const whenDue = (options: {
  readonly what: string
  readonly work: (limit: number) => Effect.Effect<BatchResult, StorageError>
  readonly nextAt: Effect.Effect<Option.Option<DateTime.Utc>, StorageError>
  readonly appended: Queue.Dequeue<void>
  /**
   * Whether failed items are due again immediately, because they have no lease. Then the work waits after a failure.
   */
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
      // Several commits in a short time cause one check.
      Effect.zipRight(Queue.take(options.appended), Effect.sleep(SETTLE))
    )
  })

/** Removes all expired data in batches. */
const sweep = <R>(
  remove: (limit: number) => Effect.Effect<number, StorageError, R>
): Effect.Effect<void, StorageError, R> =>
  Effect.asVoid(
    Effect.repeat(Effect.zipLeft(remove(BATCH), yieldToEventLoop), { while: (removed) => removed >= BATCH })
  )

/**
 * Checks pending messages, posts scheduled ones, deletes accounts and removes expired data, until the layer is closed.
 */
export const layer = Layer.scopedDiscard(Effect.gen(function*() {
  const dueDeletions = yield* DueDeletions
  const scheduledMessages = yield* ScheduledMessages
  const consents = yield* Consents
  const webhooks = yield* Webhooks
  const events = yield* EventLog
  const deletedData = yield* DeletedData

  const messages = whenDue({
    what: "Scheduled messages handled",
    work: scheduledMessages.dispatchDue,
    nextAt: scheduledMessages.nextDueAt,
    appended: yield* events.subscribe
  })
  const pending = whenDue({
    what: "Pending scheduled messages checked",
    work: scheduledMessages.armPending,
    // Pending messages have no due time; they only arrive with a commit.
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
    // False if a reader still needs deleted data: the next sweep tries again.
    yield* deletedData.purge
    yield* Effect.sleep(SWEEP_INTERVAL)
  })

  yield* Effect.forkScoped(forever("Pending scheduled messages", pending))
  yield* Effect.forkScoped(forever("Scheduled messages", messages))
  yield* Effect.forkScoped(forever("Deletions of accounts", deletions))
  yield* Effect.forkScoped(forever("Removal of expired data", expired))
}))
