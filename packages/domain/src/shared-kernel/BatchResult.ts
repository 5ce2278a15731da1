import { type Cause, Context, DateTime, Duration, Effect, Option } from "effect"

/** The result of one batch of due work. */
export interface BatchResult {
  /** The number of claimed items. If it equals the batch's limit, more items may be due. */
  readonly claimed: number
  /** The number of items handled successfully. */
  readonly done: number
  /**
   * The number of items that failed. They are retried after their lease, at their next attempt, or in the next batch.
   */
  readonly failed: number
}

/**
 * Handles the items one by one. A failed item does not stop the others. `handle` returns false if the item needed no
 * work any more.
 */
export const handleEach = <Item, E>(
  items: ReadonlyArray<Item>,
  handle: (item: Item) => Effect.Effect<boolean, E>,
  onFailure: (item: Item, cause: Cause.Cause<E>) => Effect.Effect<void>
): Effect.Effect<BatchResult> =>
  Effect.map(
    Effect.forEach(items, (item) =>
      Effect.catchAllCause(handle(item), (cause) => Effect.as(onFailure(item, cause), "failed" as const))),
    (outcomes) => ({
      claimed: items.length,
      done: outcomes.filter((outcome) =>
        outcome === true
      ).length,
      failed: outcomes.filter((outcome) => outcome === "failed").length
    })
  )

/** The default of `ClaimLease`. */
export const LEASE = Duration.seconds(30)

/**
 * How long a claim on due work is valid. After that, another claimant may take over. It must be longer than a batch.
 */
export class ClaimLease extends Context.Reference<ClaimLease>()("@community-messaging/domain/ClaimLease", {
  defaultValue: () => LEASE
}) {}

/** Claims due items. It first reads whether any are due: a claim is a write, and usually nothing is due. */
export const claimIfDue = <Item, E>(
  nextDueAt: Effect.Effect<Option.Option<DateTime.Utc>, E>,
  lease: Duration.Duration,
  limit: number,
  claim: (options: {
    readonly now: DateTime.Utc
    readonly leaseUntil: DateTime.Utc
    readonly limit: number
  }) => Effect.Effect<ReadonlyArray<Item>, E>
): Effect.Effect<ReadonlyArray<Item>, E> =>
  Effect.gen(function*() {
    const due = yield* nextDueAt
    const now = yield* DateTime.now
    return Option.exists(due, DateTime.lessThanOrEqualTo(now))
      ? yield* claim({ now, leaseUntil: DateTime.addDuration(now, lease), limit })
      : []
  })
