import { Effect } from "effect"

/** What the effect fails with. Where it succeeds the test fails, in plain words and not with all that it gave. */
export const failure = <A, E, R>(effect: Effect.Effect<A, E, R>): Effect.Effect<E, never, R> =>
  Effect.flip(Effect.zipRight(effect, Effect.dieMessage("It succeeded where it should have failed.")))
