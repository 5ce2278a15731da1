import type { StoragePorts } from "@community-messaging/domain/StoragePorts"
import { Array as Arrays, Effect, type Either } from "effect"
import type { TwoServers, UseCases } from "../world/World.ts"

/** The number of concurrent units of work: more than the connections of a server. */
const AT_ONCE = 32

type Use<A, E> = Effect.Effect<A, E, UseCases | StoragePorts>

/** Runs all effects concurrently, every other one on the second server. Returns their exits. */
export const sideBySide = <A, E>(
  { first, second }: TwoServers,
  effects: ReadonlyArray<Use<A, E>>
): Effect.Effect<ReadonlyArray<Either.Either<A, E>>> =>
  Effect.forEach(
    effects,
    (effect, index) => Effect.either(Effect.provide(effect, index % 2 === 0 ? first : second)),
    { concurrency: AT_ONCE }
  )

/** Like `sideBySide`, for effects of different kinds. */
export const allSideBySide = (
  servers: TwoServers,
  effects: ReadonlyArray<Use<unknown, unknown>>
): Effect.Effect<ReadonlyArray<Either.Either<unknown, unknown>>> => sideBySide<unknown, unknown>(servers, effects)

/**
 * Runs the effects one after another on the second server while all of `others` run, so that they also run beside effects
 * that `others` run one after another. Returns their exits.
 */
export const oneByOneWhile = (
  servers: TwoServers,
  others: ReadonlyArray<Use<unknown, unknown>>,
  effects: ReadonlyArray<Use<unknown, unknown>>
): Effect.Effect<ReadonlyArray<Either.Either<unknown, unknown>>> =>
  Effect.map(
    Effect.all([
      Effect.forEach(effects, (effect) => Effect.either(Effect.provide(effect, servers.second))),
      allSideBySide(servers, others)
    ], { concurrency: "unbounded" }),
    ([outcomes]) => outcomes
  )

/** Runs the same effect many times, side by side. */
export const times = <A, E>(servers: TwoServers, count: number, effect: Use<A, E>) =>
  sideBySide(servers, Arrays.replicate(effect, count))

/** The tags of the failures, in no particular order. */
export const failures = <A, E extends { readonly _tag: string }>(
  outcomes: ReadonlyArray<Either.Either<A, E>>
): ReadonlyArray<string> => Arrays.getLefts(outcomes).map(({ _tag }) => _tag)

/** The results of the effects that succeeded. */
export const successes = Arrays.getRights

/** How often a race runs, each time with new entities: a single run may not show a fault. */
export const ROUNDS = 12

/** Makes new entities on the first server for each round. */
export const rounds = <A, E>(servers: TwoServers, make: (round: number) => Use<A, E>) =>
  Effect.provide(Effect.forEach(Arrays.range(1, ROUNDS), make), servers.first)
