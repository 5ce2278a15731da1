import { describe, expect, it } from "@effect/vitest"
import { Effect, Layer, TestClock } from "effect"
import * as Snowflake from "../../src/shared-kernel/Snowflake.ts"
import { SnowflakeGenerator } from "../../src/shared-kernel/SnowflakeGenerator.ts"

const EPOCH = Date.UTC(2015, 0, 1)
const SEQUENCES = 4096

const next = Effect.flatMap(SnowflakeGenerator, (generator) => generator.next)

const nextMany = (count: number) => Effect.replicateEffect(next, count)

const millisOf = (id: Snowflake.Snowflake): number => Snowflake.createdAtMillis(id, EPOCH)
const workerOf = (id: Snowflake.Snowflake): bigint => (BigInt(id) >> 12n) & 1023n
const sequenceOf = (id: Snowflake.Snowflake): bigint => BigInt(id) & 4095n

const ascends = (ids: ReadonlyArray<Snowflake.Snowflake>): boolean =>
  ids.every((id, index) => {
    const previous = ids[index - 1]
    return previous === undefined || Snowflake.compare(previous, id) === -1
  })

const at = (millisSinceEpoch: number) => TestClock.setTime(EPOCH + millisSinceEpoch)

describe("a generator of snowflakes", () => {
  it.effect("notes the moment of creation", () =>
    Effect.gen(function*() {
      yield* at(1234)
      expect(millisOf(yield* next)).toBe(EPOCH + 1234)
    }).pipe(Effect.provide(SnowflakeGenerator.layer(0))))

  it.effect("counts the moment from the epoch it is given", () =>
    Effect.gen(function*() {
      yield* at(1234)
      expect(Snowflake.createdAtMillis(yield* next, EPOCH + 1000)).toBe(EPOCH + 1234)
    }).pipe(Effect.provide(
      Layer.provide(SnowflakeGenerator.layer(0), Layer.succeed(Snowflake.SnowflakeEpoch, EPOCH + 1000))
    )))

  it.effect("names its worker in ten bits", () =>
    Effect.gen(function*() {
      yield* at(1)
      const ids = yield* Effect.forEach([0, 1, 513, 1023], (worker) =>
        Effect.provide(next, SnowflakeGenerator.layer(worker)))
      expect(ids.map(workerOf)).toEqual([0n, 1n, 513n, 1023n])
    }))

  it.effect("never makes what a generator of another worker makes", () =>
    Effect.gen(function*() {
      yield* at(5)
      const one = yield* Effect.provide(nextMany(2 * SEQUENCES), SnowflakeGenerator.layer(1))
      const other = yield* Effect.provide(nextMany(2 * SEQUENCES), SnowflakeGenerator.layer(2))
      expect(new Set([...one, ...other]).size).toBe(4 * SEQUENCES)
    }))

  it.effect("counts up within a millisecond and starts again in the next", () =>
    Effect.gen(function*() {
      yield* at(7)
      const sameMillisecond = yield* nextMany(3)
      yield* TestClock.adjust("1 millis")
      const following = yield* next
      expect(sameMillisecond.map(sequenceOf)).toEqual([0n, 1n, 2n])
      expect(sequenceOf(following)).toBe(0n)
    }).pipe(Effect.provide(SnowflakeGenerator.layer(3))))

  it.effect("borrows from the next millisecond when one is used up", () =>
    Effect.gen(function*() {
      yield* at(7)
      const ids = yield* nextMany(SEQUENCES + 1)
      expect(ids.slice(-2).map((id) => [millisOf(id) - EPOCH, sequenceOf(id)])).toEqual([[7, 4095n], [8, 0n]])
      expect(ids.every((id) => workerOf(id) === 1023n)).toBe(true)
    }).pipe(Effect.provide(SnowflakeGenerator.layer(1023))))

  it.effect("goes on upwards through what it borrowed once the clock has caught up", () =>
    Effect.gen(function*() {
      yield* at(7)
      const before = yield* nextMany(2 * SEQUENCES + 5)
      yield* TestClock.adjust("2 millis")
      const after = yield* nextMany(5)
      expect(ascends([...before, ...after])).toBe(true)
    }).pipe(Effect.provide(SnowflakeGenerator.layer(0))))

  it.effect("still goes upwards when the clock goes back", () =>
    Effect.gen(function*() {
      yield* at(1000)
      const before = yield* nextMany(10)
      yield* at(1)
      const after = yield* nextMany(2 * SEQUENCES)
      expect(ascends([...before, ...after])).toBe(true)
    }).pipe(Effect.provide(SnowflakeGenerator.layer(0))))

  it.effect("makes valid snowflakes though the clock stands before the epoch", () =>
    Effect.gen(function*() {
      yield* at(-1000)
      const ids = yield* nextMany(3)
      expect(ascends(ids)).toBe(true)
      expect(ids.map(millisOf)).toEqual([EPOCH, EPOCH, EPOCH])
    }).pipe(Effect.provide(SnowflakeGenerator.layer(0))))

  it.effect("gives each of many fibers its own", () =>
    Effect.gen(function*() {
      yield* at(7)
      const ids = yield* Effect.all(Array.from({ length: 500 }, () => Effect.zipRight(Effect.yieldNow(), next)), {
        concurrency: "unbounded"
      })
      expect(new Set(ids).size).toBe(500)
    }).pipe(Effect.provide(SnowflakeGenerator.layer(0))))
})
