import { Effect, Option, Ref } from "effect"
import { DueDeletions } from "../account-deletion/DueDeletions.ts"
import { ExpiredEvents } from "../event/EventRetention.ts"
import { Consents } from "../oauth2/Consents.ts"
import type { ScheduledMessageId } from "../scheduled-message/ScheduledMessage.ts"
import { ScheduledMessages } from "../scheduled-message/ScheduledMessages.ts"
import type { BatchResult } from "../shared-kernel/BatchResult.ts"
import { DeletedData } from "../shared-kernel/DeletedData.ts"
import type { StorageError } from "../shared-kernel/StorageError.ts"
import { yieldToEventLoop } from "../shared-kernel/YieldToEventLoop.ts"
import { Webhooks } from "../webhook/Webhooks.ts"

/** The number of items in a batch. A storage may work synchronously, so requests wait until a batch is done. */
const BATCH = 10

/** The number of expired rows that are removed at once: each takes some microseconds. */
const REMOVED_AT_ONCE = 100

/**
 * The number of pending messages that may fail before their check ends. Pending messages have no lease, so each check
 * begins with the failed ones again, and each failure is logged.
 */
const MAX_PENDING_FAILURES = 100

/** How much expired data was removed. */
export interface ExpiredDataResult {
  /** The number of scheduled messages that ended more than 31 days ago. */
  readonly scheduledMessages: number
  /** The number of expired authorization codes. */
  readonly authorizationCodes: number
  /** The number of removed webhook deliveries and announcements. */
  readonly deliveries: number
  /** The number of events older than `EventRetention`. */
  readonly events: number
  /** Whether the bytes of deleted data left the storage. False if a reader still needs them: the next call tries again. */
  readonly purged: boolean
}

/**
 * The steps of the background work. Each does all that is due now, in batches with requests served in between, and
 * returns the results. Any number of processes may call them at the same time.
 */
export interface BackgroundSteps {
  /** Checks imported `pending` messages: each becomes `scheduled` or `invalid`. Ends when 100 have failed. */
  readonly checkPendingMessages: Effect.Effect<BatchResult, StorageError>
  /** Posts scheduled messages that are due. */
  readonly postDueMessages: Effect.Effect<BatchResult, StorageError>
  /** Deletes accounts whose deletion is due, and then removes the bytes of their data from the storage. */
  readonly deleteDueAccounts: Effect.Effect<BatchResult, StorageError>
  /** Removes expired messages, codes, deliveries, announcements and events, and then the bytes of deleted data. */
  readonly removeExpiredData: Effect.Effect<ExpiredDataResult, StorageError>
}

/** What the steps need: the use cases and a port of the storage. */
export type BackgroundStepsNeeds = Consents | DeletedData | DueDeletions | ExpiredEvents | ScheduledMessages | Webhooks

const add = (one: BatchResult, other: BatchResult): BatchResult => ({
  claimed: one.claimed + other.claimed,
  done: one.done + other.done,
  failed: one.failed + other.failed
})

/** Reports the progress of a step. */
export interface Progress {
  /** Runs after each batch that storage did not reject, with the number of items that failed. */
  readonly onBatch: (step: keyof BackgroundSteps, failed: number) => Effect.Effect<void>
  /** Runs before a purge of deleted data, which takes long in a large storage. All batches are done then. */
  readonly onPurge: (step: keyof BackgroundSteps) => Effect.Effect<void>
}

/** Makes the steps. */
export const make = (
  { onBatch, onPurge }: Progress
): Effect.Effect<BackgroundSteps, never, BackgroundStepsNeeds> =>
  Effect.gen(function*() {
    const dueDeletions = yield* DueDeletions
    const expiredEvents = yield* ExpiredEvents
    const scheduledMessages = yield* ScheduledMessages
    const consents = yield* Consents
    const webhooks = yield* Webhooks
    const { purge } = yield* DeletedData

    /** Works in batches until one is not full, or `mayContinue` returns false for the sum of all. */
    const inBatches = (
      step: keyof BackgroundSteps,
      limit: number,
      work: (limit: number) => Effect.Effect<BatchResult, StorageError>,
      mayContinue: (total: BatchResult) => boolean = () => true
    ) =>
      Effect.gen(function*() {
        let total: BatchResult = { claimed: 0, done: 0, failed: 0 }
        let isMoreDue = true
        while (isMoreDue) {
          const batch = yield* work(limit)
          yield* onBatch(step, batch.failed)
          total = add(total, batch)
          isMoreDue = batch.claimed >= limit && mayContinue(total)
          if (isMoreDue) yield* yieldToEventLoop
        }
        return total
      })

    /** Handles items. An interruption waits for the batch: claimed items that are left would wait for the end of their lease. */
    const handle = (
      step: keyof BackgroundSteps,
      work: (limit: number) => Effect.Effect<BatchResult, StorageError>,
      mayContinue?: (total: BatchResult) => boolean
    ) => inBatches(step, BATCH, (limit) => Effect.uninterruptible(work(limit)), mayContinue)

    /** Removes batches until one is not full. Returns the count. */
    const remove = (work: (limit: number) => Effect.Effect<number, StorageError>) => {
      const batch = (limit: number) => Effect.map(work(limit), (done) => ({ claimed: done, done, failed: 0 }))
      const all = inBatches("removeExpiredData", REMOVED_AT_ONCE, batch)
      return Effect.zipLeft(Effect.map(all, ({ done }) => done), yieldToEventLoop)
    }

    const purgeIn = (step: keyof BackgroundSteps) => Effect.zipRight(onPurge(step), purge)

    return {
      checkPendingMessages: Effect.flatMap(Ref.make(Option.none<ScheduledMessageId>()), (last) =>
        handle(
          "checkPendingMessages",
          (limit) =>
            Effect.tap(
              Effect.flatMap(Ref.get(last), (after) => scheduledMessages.armPending({ after, limit })),
              (batch) => Ref.set(last, batch.last)
            ),
          ({ failed }) => failed < MAX_PENDING_FAILURES
        )),
      postDueMessages: handle("postDueMessages", scheduledMessages.dispatchDue),
      // One purge for all batches: it visits all tables.
      deleteDueAccounts: Effect.tap(
        handle("deleteDueAccounts", dueDeletions.deleteDue),
        ({ done }) => Effect.when(purgeIn("deleteDueAccounts"), () => done > 0)
      ),
      removeExpiredData: Effect.all({
        scheduledMessages: remove(scheduledMessages.removeExpired),
        authorizationCodes: remove(consents.removeExpiredCodes),
        deliveries: remove(webhooks.forgetDeliveries),
        events: remove(expiredEvents.remove),
        purged: purgeIn("removeExpiredData")
      })
    }
  })
