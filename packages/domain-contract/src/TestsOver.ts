import type { StoragePorts } from "@community-messaging/domain/StoragePorts"
import { it } from "@effect/vitest"
import { Effect, type Layer, type Scope, type Utils } from "effect"
import { inOwnWorld, type TwoConnections, type TwoServers, twoServers, type UseCases } from "./world/World.ts"

/** What a test does, as in `Effect.gen`. */
type Steps<R> = Generator<Utils.YieldWrap<Effect.Effect<unknown, unknown, R | Scope.Scope>>, void, never>

/** Declares tests that each run in this way. */
const testsBy = <R>(
  run: (test: Effect.Effect<void, unknown, R | Scope.Scope>) => Effect.Effect<void, unknown, Scope.Scope>
) =>
  Object.assign((name: string, steps: () => Steps<R>) => it.scoped(name, () => run(Effect.gen(steps))), {
    each: <T>(cases: ReadonlyArray<T>) => (name: string, steps: (given: T) => Steps<R>) =>
      it.scoped.each(cases)(name, (given) => run(Effect.gen(() => steps(given))))
  })

/** Declares tests that each run on a new storage of this layer. */
export const testsOver = <E>(storage: Layer.Layer<StoragePorts, E>) => testsBy<StoragePorts>(Effect.provide(storage))

/** Declares tests that each run from `START` on, with the use cases over a new storage of this layer. */
export const testsInWorld = <E>(storage: Layer.Layer<StoragePorts, E>) =>
  testsBy<StoragePorts | UseCases>(inOwnWorld(storage))

/** The timeout in milliseconds of a test on two servers: it runs many units of work. */
const TIMEOUT = 120_000

/** Declares tests that each run on two servers over a storage of their own, from the time `START` on. */
export const testsOnTwoServers =
  <E>(connections: TwoConnections<E, Scope.Scope>) => (name: string, steps: (servers: TwoServers) => Steps<never>) =>
    it.scoped(
      name,
      () => Effect.flatMap(twoServers(connections), (servers) => Effect.gen(() => steps(servers))),
      TIMEOUT
    )
