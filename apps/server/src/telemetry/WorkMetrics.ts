import { UserRepository } from "@community-messaging/domain/account/UserRepository"
import { BackgroundWork, type StepStatus } from "@community-messaging/domain/background-work/BackgroundWork"
import { ScheduledMessageRepository } from "@community-messaging/domain/scheduled-message/ScheduledMessageRepository"
import type { StorageError } from "@community-messaging/domain/shared-kernel/StorageError"
import { DateTime, Duration, Effect, Metric, Option } from "effect"

/** The count of due work stops here, because counting takes time. */
const MAX_COUNTED = 10_000

/** The maximum time to read the storage for a collection. After that, the last values remain. */
const MAX_READ_TIME = Duration.seconds(1)

const dueWork = Metric.gauge("community_messaging_due_work", {
  description: `Due work that no server has claimed, by kind; at most ${MAX_COUNTED}.`
})

const dueWorkAge = Metric.gauge("community_messaging_due_work_age_seconds", {
  description: "How long the oldest due work waits, by kind; 0 if none is due."
})

const stepUp = Metric.gauge("community_messaging_background_step_up", {
  description: "Whether the last try of a step of the background work succeeded, by step."
})

const failedItems = Metric.counter("community_messaging_background_failed_items_total", {
  description: "Items of the background work that failed, by step: an item is tried again, and then counts again.",
  incremental: true
})

/** A kind of due work. */
interface Kind {
  readonly kind: string
  readonly countDue: (now: DateTime.Utc, limit: number) => Effect.Effect<number, StorageError>
  readonly nextAt: Effect.Effect<Option.Option<DateTime.Utc>, StorageError>
}

const sampleDueWork = ({ countDue, kind, nextAt }: Kind) =>
  Effect.gen(function*() {
    const now = yield* DateTime.now
    const next = yield* nextAt
    const due = Option.filter(next, DateTime.lessThanOrEqualTo(now))
    const age = Option.match(due, { onNone: () => 0, onSome: (since) => DateTime.distance(since, now) / 1000 })
    const count = Option.isSome(due) ? yield* countDue(now, MAX_COUNTED) : 0
    yield* Metric.set(Metric.tagged(dueWork, "kind", kind), count)
    yield* Metric.set(Metric.tagged(dueWorkAge, "kind", kind), age)
  })

const isUp = ({ lastFailureAt, lastSuccessAt }: StepStatus): boolean =>
  Option.match(lastFailureAt, {
    onNone: () => true,
    onSome: (failure) => Option.exists(lastSuccessAt, DateTime.greaterThan(failure))
  })

const observed = Effect.all([UserRepository, ScheduledMessageRepository, BackgroundWork])

/** Makes the effect that updates the metrics of due work and of the background work. */
export const make = Effect.map(observed, ([users, messages, { status }]) => {
  const kinds: ReadonlyArray<Kind> = [
    { kind: "scheduled_messages", countDue: messages.countDue, nextAt: messages.nextDueAt },
    { kind: "account_deletions", countDue: users.countDueDeletions, nextAt: users.nextDeletionAt }
  ]
  const counted = new Map<string, number>()
  const sampleStep = ([step, state]: readonly [string, StepStatus]) =>
    Effect.suspend(() => {
      const failedSince = state.failedItems - (counted.get(step) ?? 0)
      counted.set(step, state.failedItems)
      return Effect.zipRight(
        Metric.set(Metric.tagged(stepUp, "step", step), isUp(state) ? 1 : 0),
        Metric.incrementBy(Metric.tagged(failedItems, "step", step), failedSince)
      )
    })
  const steps = Effect.flatMap(status, (known) => Effect.forEach(Object.entries(known), sampleStep))
  return Effect.forEach(kinds, sampleDueWork).pipe(
    Effect.disconnect,
    Effect.timeout(MAX_READ_TIME),
    Effect.ignore,
    Effect.zipRight(Effect.asVoid(steps))
  )
})
