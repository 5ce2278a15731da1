import { Context, DateTime, Duration, Effect, Option } from "effect"

/**
 * How long a claim on due work is valid. After that, another claimant may take over. It must be longer than a batch.
 */
export class ClaimLease extends Context.Reference<ClaimLease>()("@community-messaging/domain/ClaimLease", {
  defaultValue: () => Duration.seconds(30)
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
