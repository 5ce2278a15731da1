import type { StoragePorts } from "@community-messaging/domain/StoragePorts"
import { it } from "@effect/vitest"
import { Effect, type Layer, type Scope, type Utils } from "effect"

/** What a test does, as in `Effect.gen`. */
export type Steps<R> = Generator<Utils.YieldWrap<Effect.Effect<unknown, unknown, R | Scope.Scope>>, void, never>

/** Declares tests that each run on a new storage of this layer. */
export const testsOver = <E>(storage: Layer.Layer<StoragePorts, E>) => {
  const over = (steps: () => Steps<StoragePorts>) => Effect.provide(Effect.gen(steps), storage)
  return Object.assign((name: string, steps: () => Steps<StoragePorts>) => it.scoped(name, () => over(steps)), {
    each: <T>(cases: ReadonlyArray<T>) => (name: string, steps: (given: T) => Steps<StoragePorts>) =>
      it.scoped.each(cases)(name, (given) => over(() => steps(given)))
  })
}
