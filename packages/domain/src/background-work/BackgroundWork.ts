import { Context, DateTime, Duration, Effect, Layer, Option, Queue, Ref } from "effect"
import { DueDeletions } from "../account-deletion/DueDeletions.ts"
import { ScheduledMessages } from "../scheduled-message/ScheduledMessages.ts"
import type { BatchResult } from "../shared-kernel/BatchResult.ts"
import { EventLog } from "../shared-kernel/EventLog.ts"
import * as LoggedCause from "../shared-kernel/LoggedCause.ts"
import * as SideBySide from "../shared-kernel/SideBySide.ts"
import type { StorageError } from "../shared-kernel/StorageError.ts"
import * as BackgroundSteps from "./BackgroundSteps.ts"
import { WorkPlacement } from "./WorkPlacement.ts"

/** How long to wait after work failed. */
const PAUSE_AFTER_FAILURE = Duration.seconds(5)

/**
 * The maximum time to sleep. Timers measure neither the time for which the machine is suspended nor a step of the wall clock,
 * by which work is due. A check is one read.
 */
const LONGEST_SLEEP = Duration.minutes(1)

/** How long to collect commits, or to wait for the end of other units of work, before due work is looked for again. */
const SETTLE = Duration.millis(200)

/** How often expired data is removed. */
const SWEEP_INTERVAL = Duration.minutes(10)

/** The status of a step of the background work. */
export interface StepStatus {
  /** When a batch of this step last succeeded, also an empty one. */
  readonly lastSuccessAt: Option.Option<DateTime.Utc>
  /** When the step last failed. It is tried again 5 seconds later. None after the step moved to another process. */
  readonly lastFailureAt: Option.Option<DateTime.Utc>
  /** When the step began to work; none while it waits for the next due time, and while it purges deleted data. */
  readonly busySince: Option.Option<DateTime.Utc>
  /** How many items of successful batches failed, since the process started. They are tried again. */
  readonly failedItems: number
}

/** The status of each step. */
export type BackgroundStatus = Readonly<Record<keyof BackgroundSteps.BackgroundSteps, StepStatus>>

const NOTHING_YET: StepStatus = {
  lastSuccessAt: Option.none(),
  lastFailureAt: Option.none(),
  busySince: Option.none(),
  failedItems: 0
}

const INITIAL: BackgroundStatus = {
  checkPendingMessages: NOTHING_YET,
  postDueMessages: NOTHING_YET,
  deleteDueAccounts: NOTHING_YET,
  removeExpiredData: NOTHING_YET
}

/** A step that the layer repeats: the work, and then the wait until there may be work again. */
interface Duty {
  readonly step: keyof BackgroundSteps.BackgroundSteps
  /** Does the work. Returns how to wait. */
  readonly run: Effect.Effect<Effect.Effect<void>, StorageError>
}

/** Waits for that moment, or for a commit, which may change the next due time: every such change appends an event. */
const waitUntil = (moment: Option.Option<DateTime.Utc>, appended: Queue.Dequeue<void>) =>
  Effect.gen(function*() {
    const now = yield* DateTime.now
    const remaining = Option.match(moment, {
      onNone: () => LONGEST_SLEEP,
      onSome: (next) => Duration.millis(Math.max(1, DateTime.distance(now, next)))
    })
    yield* SideBySide.firstOf(
      Effect.sleep(Duration.min(remaining, LONGEST_SLEEP)),
      // Several commits in a short time cause one check.
      Effect.zipRight(Queue.take(appended), Effect.sleep(SETTLE))
    )
  })

const logged = (message: string, work: Effect.Effect<BatchResult, StorageError>) =>
  Effect.tap(work, (result) =>
    result.claimed > 0
      ? Effect.annotateLogs(Effect.logInfo(message), { ...result })
      : Effect.void)

/** Handles due items, and waits for the next due time or a commit. */
const whenDue = (
  message: string,
  work: Effect.Effect<BatchResult, StorageError>,
  nextDueAt: Effect.Effect<Option.Option<DateTime.Utc>, StorageError>,
  appended: Queue.Dequeue<void>
): Duty["run"] =>
  Effect.flatMap(DateTime.now, (began) => {
    // What was due before the work began, and still is, is locked by another unit of work.
    const whenUnlocked = (next: DateTime.Utc) =>
      DateTime.lessThanOrEqualTo(next, began) ? DateTime.addDuration(began, SETTLE) : next
    return Effect.zipRight(
      logged(message, work),
      Effect.map(nextDueAt, (moment) => waitUntil(Option.map(moment, whenUnlocked), appended))
    )
  })

/** Checks pending messages. They have no due time; they only arrive with a commit. */
const whenPending = (
  work: Effect.Effect<BatchResult, StorageError>,
  appended: Queue.Dequeue<void>
): Duty["run"] =>
  Effect.map(
    logged("Pending scheduled messages checked", work),
    // Failed messages are still pending, and no commit signals them.
    ({ failed }) => failed > 0 ? Effect.sleep(PAUSE_AFTER_FAILURE) : waitUntil(Option.none(), appended)
  )

/** Repeats the duty forever. A failure is logged, and the work is tried again later. */
const repeat = (status: Ref.Ref<BackgroundStatus>, { run, step }: Duty): Effect.Effect<never> => {
  const note = (change: (now: Option.Option<DateTime.Utc>) => Partial<StepStatus>) =>
    Effect.flatMap(
      DateTime.now,
      (now) => Ref.update(status, (all) => ({ ...all, [step]: { ...all[step], ...change(Option.some(now)) } }))
    )
  return note((now) => ({ busySince: now })).pipe(
    Effect.zipRight(run),
    Effect.catchAllCause((cause) =>
      Effect.as(
        Effect.zipRight(
          note((now) => ({ lastFailureAt: now })),
          Effect.annotateLogs(Effect.logWarning("Background work failed"), { step, cause: LoggedCause.describe(cause) })
        ),
        Effect.sleep(PAUSE_AFTER_FAILURE)
      )
    ),
    Effect.zipLeft(note(() => ({ busySince: Option.none() }))),
    Effect.flatten,
    Effect.forever,
    // The step moved to another process: here it is not busy any more, and its last failure is out of date.
    Effect.onInterrupt(() => note(() => ({ busySince: Option.none(), lastFailureAt: Option.none() })))
  )
}

/**
 * The work that no request triggers: checks pending messages, posts due ones, deletes due accounts, and removes expired
 * data. Source: docs/architecture.md, What happens at a due date.
 */
export class BackgroundWork extends Context.Tag("@community-messaging/domain/BackgroundWork")<BackgroundWork, {
  /** The status of each step. */
  readonly status: Effect.Effect<BackgroundStatus>
}>() {
  /** The steps, to call from a cron job or a queue. `layer` is then not needed. */
  static readonly steps = BackgroundSteps.make({ onBatch: () => Effect.void, onPurge: () => Effect.void })

  /**
   * Runs each step once, and returns the results. If storage fails in a step, the later steps do not run; committed changes
   * stay.
   */
  static readonly runOnce = Effect.flatMap(BackgroundWork.steps, (steps) => Effect.all({ ...steps }))

  /**
   * Runs each step when it is due, until the layer is closed. Needs the use cases (`UseCases.layer`) and a storage. Any
   * number of processes may work on one storage; `WorkPlacement` decides where each step runs.
   */
  static readonly layer = Layer.scoped(
    BackgroundWork,
    Effect.gen(function*() {
      const place = yield* WorkPlacement
      const status = yield* Ref.make(INITIAL)
      const deletions = yield* DueDeletions
      const messages = yield* ScheduledMessages
      const steps = yield* BackgroundSteps.make({
        onBatch: (step, failed) =>
          Effect.flatMap(DateTime.now, (now) =>
            Ref.update(status, (all) => {
              const { [step]: before } = all
              const after = { ...before, lastSuccessAt: Option.some(now), failedItems: before.failedItems + failed }
              return { ...all, [step]: after }
            })),
        onPurge: (step) => Ref.update(status, (all) => ({ ...all, [step]: { ...all[step], busySince: Option.none() } }))
      })
      const { subscribe } = yield* EventLog
      const duties: ReadonlyArray<Duty> = [
        { step: "checkPendingMessages", run: whenPending(steps.checkPendingMessages, yield* subscribe) },
        {
          step: "postDueMessages",
          run: whenDue("Scheduled messages handled", steps.postDueMessages, messages.nextDueAt, yield* subscribe)
        },
        {
          step: "deleteDueAccounts",
          run: whenDue(
            "Due deletions of accounts handled",
            steps.deleteDueAccounts,
            deletions.nextDueAt,
            yield* subscribe
          )
        },
        { step: "removeExpiredData", run: Effect.as(steps.removeExpiredData, Effect.sleep(SWEEP_INTERVAL)) }
      ]
      yield* Effect.forEach(duties, (duty) => place(duty.step, repeat(status, duty)), { discard: true })
      return { status: Ref.get(status) }
    })
  )
}
