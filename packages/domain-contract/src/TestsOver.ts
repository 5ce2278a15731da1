import type { StoragePorts } from "@community-messaging/domain/StoragePorts"
import { it } from "@effect/vitest"
import { Effect, type Layer, type Scope, type Utils } from "effect"
import { type TwoConnections, type TwoServers, twoServers } from "./world/World.ts"

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

/** The timeout in milliseconds of a test on two servers: it runs many units of work. */
const LONG = 60_000

/** Declares tests that each run on two servers over a storage of their own, from the time `START` on. */
export const testsOnTwoServers =
  <E>(connections: TwoConnections<E, Scope.Scope>) => (name: string, steps: (servers: TwoServers) => Steps<never>) =>
    it.scoped(
      name,
      () => Effect.flatMap(twoServers(connections), (servers) => Effect.gen(() => steps(servers))),
      LONG
    )
