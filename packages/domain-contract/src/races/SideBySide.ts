import type { StoragePorts } from "@community-messaging/domain/StoragePorts"
import { Array as Arrays, Effect, type Either } from "effect"
import type { TwoServers, UseCases } from "../world/World.ts"

/** Units of work at a time: more than one server has connections. */
const AT_ONCE = 32

/** Each of these tests is many units of work. In milliseconds. */
export const LONG = 60_000

type Use<A, E> = Effect.Effect<A, E, UseCases | StoragePorts>

/** Runs all effects at the same time, every other one on the second server. Returns what each came to. */
export const sideBySide = <A, E>(
  { first, second }: TwoServers,
  effects: ReadonlyArray<Use<A, E>>
): Effect.Effect<ReadonlyArray<Either.Either<A, E>>> =>
  Effect.forEach(
    effects,
    (effect, index) => Effect.either(Effect.provide(effect, index % 2 === 0 ? first : second)),
    { concurrency: AT_ONCE }
  )

/** The same for effects of different kinds. */
export const allSideBySide = (
  servers: TwoServers,
  effects: ReadonlyArray<Use<unknown, unknown>>
): Effect.Effect<ReadonlyArray<Either.Either<unknown, unknown>>> => sideBySide<unknown, unknown>(servers, effects)

/**
 * Runs the effects one after another on the second server while all of `others` run. So they meet those that `others` handle
 * one after another, too. Returns what each came to.
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

/** The same effect many times. */
export const times = <A, E>(servers: TwoServers, count: number, effect: Use<A, E>) =>
  sideBySide(servers, Arrays.replicate(effect, count))

/** The failures by their tags, in no particular order. */
export const failures = <A, E extends { readonly _tag: string }>(
  outcomes: ReadonlyArray<Either.Either<A, E>>
): ReadonlyArray<string> => Arrays.getLefts(outcomes).map(({ _tag }) => _tag)

/** The results of those that succeeded. */
export const successes = Arrays.getRights

/** A race that is run this often, each time about something new: one run alone may not show what is wrong. */
export const ROUNDS = 12

/** Makes something new on the first server for each round. */
export const rounds = <A, E>(servers: TwoServers, make: (round: number) => Use<A, E>) =>
  Effect.provide(Effect.forEach(Arrays.range(1, ROUNDS), make), servers.first)
