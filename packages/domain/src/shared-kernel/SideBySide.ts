import { Deferred, Effect, Fiber } from "effect"

/*
 * Effects that run side by side, and end with their caller. A fiber may yield before any step. Effect's `race`, and `forEach`
 * with a concurrency, never end if their fiber is interrupted when it yields between two of their steps.
 */

/** Runs both, and ends like the first one that ends. Interrupts the other one, and waits for its end. */
export const firstOf = <A, E, R, A2, E2, R2>(
  one: Effect.Effect<A, E, R>,
  other: Effect.Effect<A2, E2, R2>
): Effect.Effect<A | A2, E | E2, R | R2> =>
  Effect.uninterruptibleMask((restore) =>
    Effect.gen(function*() {
      const first = yield* Deferred.make<A | A2, E | E2>()
      const fibers = [
        yield* Effect.fork(Effect.intoDeferred(restore(one), first)),
        yield* Effect.fork(Effect.intoDeferred(restore(other), first))
      ]
      return yield* Effect.ensuring(restore(Deferred.await(first)), Fiber.interruptAll(fibers))
    })
  )

/** Runs all, and returns their results in order. If one fails, fails and interrupts the later ones. */
export const all = <A, E, R>(
  effects: ReadonlyArray<Effect.Effect<A, E, R>>
): Effect.Effect<ReadonlyArray<A>, E, R> =>
  // One needs no other fiber.
  effects.length < 2 ? Effect.all(effects) : Effect.uninterruptibleMask((restore) =>
    Effect.flatMap(
      Effect.forEach(effects, (effect) => Effect.fork(restore(effect))),
      // Not `Fiber.all`, which runs side by side, too.
      (fibers) => Effect.ensuring(restore(Effect.forEach(fibers, Fiber.join)), Fiber.interruptAll(fibers))
    )
  )
