import { DateTime, Effect, Option } from "effect"

/** Claims only where something is due: a claim of nothing would be a transaction that writes nothing. */
export const whereDue =
  <E2>(nextDueAt: Effect.Effect<Option.Option<DateTime.Utc>, E2>, now: DateTime.Utc) =>
  <A, E>(claim: Effect.Effect<ReadonlyArray<A>, E>): Effect.Effect<ReadonlyArray<A>, E | E2> =>
    Effect.flatMap(nextDueAt, (due) => Option.exists(due, DateTime.lessThanOrEqualTo(now)) ? claim : Effect.succeed([]))
