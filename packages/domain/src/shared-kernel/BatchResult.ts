import { type Cause, Context, DateTime, Duration, Effect, Option } from "effect"

/** What came of one batch of due work. */
export interface BatchResult {
  /** Items claimed; when this reaches the batch's limit there may be more. */
  readonly claimed: number
  /** Items handled to their end. */
  readonly done: number
  /** Items whose handling failed; they come again: when their lease ends, at their next attempt, or with the next batch. */
  readonly failed: number
}

/**
 * Handles each item by itself: one that fails keeps no other from being handled. `handle` gives false where there was
 * nothing to do any more.
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

/** How long a claim on due work holds unless an operator sets another length. */
export const LEASE = Duration.seconds(30)

/** How long a claim on due work holds: a claimant that dies loses it after that. Longer than a batch takes. */
export class ClaimLease extends Context.Reference<ClaimLease>()("@community-messaging/domain/ClaimLease", {
  defaultValue: () => LEASE
}) {}

/** Claims what is due now. It asks first: a claim is a write, and most of the time nothing is due. */
export const claimWhereDue = <Item, E>(
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
