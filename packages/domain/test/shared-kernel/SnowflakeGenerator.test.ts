import * as Saved from "@community-messaging/domain-contract/Saved"
import { testsOver } from "@community-messaging/domain-contract/TestsOver"
import { UserId } from "@community-messaging/domain/account/User"
import type { UserRepository } from "@community-messaging/domain/account/UserRepository"
import type { StoragePorts } from "@community-messaging/domain/StoragePorts"
import * as StorageMemory from "@community-messaging/storage-memory/StorageMemory"
import { describe, expect, it } from "@effect/vitest"
import { Cause, Duration, Effect, Exit, Layer, Logger, Option, TestClock } from "effect"
import * as Snowflake from "../../src/shared-kernel/Snowflake.ts"
import { MAX_LEAD, SnowflakeGenerator } from "../../src/shared-kernel/SnowflakeGenerator.ts"
import { SnowflakeHistory } from "../../src/shared-kernel/SnowflakeHistory.ts"
import { StorageError } from "../../src/shared-kernel/StorageError.ts"
import { WorkerNumber } from "../../src/shared-kernel/WorkerNumber.ts"

const EPOCH = Date.UTC(2015, 0, 1)
const SEQUENCES = 4096

/** A generator over an empty storage. */
const generator = (worker: number) => Layer.provide(SnowflakeGenerator.layer(worker), StorageMemory.layer)

const next = Effect.flatMap(SnowflakeGenerator, (snowflakes) => snowflakes.next)

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
  it.effect("counts the time from the given epoch", () =>
    Effect.gen(function*() {
      yield* at(1234)
      expect(Snowflake.createdAtMillis(yield* next, EPOCH + 1000)).toBe(EPOCH + 1234)
    }).pipe(Effect.provide(
      Layer.provide(generator(0), Layer.succeed(Snowflake.SnowflakeEpoch, EPOCH + 1000))
    )))

  it.effect("borrows from the next millisecond when one is used up", () =>
    Effect.gen(function*() {
      yield* at(7)
      const ids = yield* nextMany(SEQUENCES + 1)
      expect(ids.slice(-2).map((id) => [millisOf(id) - EPOCH, sequenceOf(id)])).toEqual([[7, 4095n], [8, 0n]])
      expect(ids.every((id) => workerOf(id) === 1023n)).toBe(true)
    }).pipe(Effect.provide(generator(1023))))

  it.effect("generates valid snowflakes when the clock is before the epoch", () =>
    Effect.gen(function*() {
      yield* at(-1000)
      const ids = yield* nextMany(3)
      expect(ascends(ids)).toBe(true)
      expect(ids.map(millisOf)).toEqual([EPOCH, EPOCH, EPOCH])
    }).pipe(Effect.provide(generator(0))))

  it.effect.each([1024, -1, 1.5])(
    "dies when it gets %s as its worker number",
    (worker) =>
      Effect.gen(function*() {
        const built = yield* Effect.exit(Effect.scoped(Layer.build(generator(worker))))
        expect(Exit.isFailure(built) && Cause.isDie(built.cause)).toBe(true)
      })
  )
})

describe("the epoch of a storage", () => {
  const it = testsOver(StorageMemory.layer)

  it("is the one of the first start; later starts with another one fail", function*() {
    const start = (epoch: number) =>
      Effect.provide(SnowflakeGenerator, SnowflakeGenerator.layer(0)).pipe(
        Effect.provideService(Snowflake.SnowflakeEpoch, epoch)
      )
    yield* start(EPOCH)
    yield* start(EPOCH)
    const mismatch = yield* Effect.flip(start(Date.UTC(2020, 0, 1)))
    expect(mismatch).toMatchObject({
      _tag: "SnowflakeEpochMismatch",
      configured: Date.UTC(2020, 0, 1),
      ofData: EPOCH
    })
    expect(mismatch.message).toBe(
      "The epoch of ids is 2020-01-01T00:00:00.000Z, " +
        "but the ids of the existing data count from 2015-01-01T00:00:00.000Z."
    )
  })
})

/** A storage whose largest id is of this millisecond. */
const storedUntil = (millisSinceEpoch: number) =>
  Saved.user({ id: Snowflake.toId(UserId, Snowflake.lastOfMillis(millisSinceEpoch)) })

/** What a new generator over the storage makes, and its log. */
const withNewGenerator = <A, E>(worker: number, make: Effect.Effect<A, E, SnowflakeGenerator>) =>
  Effect.gen(function*() {
    const warnings: Array<string> = []
    const logger = Logger.make(({ message }) => void warnings.push(String(message)))
    const made = yield* make.pipe(
      Effect.provide(Layer.provideMerge(
        SnowflakeGenerator.layer(worker),
        Logger.replace(Logger.defaultLogger, logger)
      ))
    )
    return { made, warnings }
  })

/** The ids of a new generator over the storage, and its log. */
const afterRestart = (worker: number, count: number) =>
  Effect.map(withNewGenerator(worker, nextMany(count)), ({ made, warnings }) => ({ ids: made, warnings }))

describe("a generator of snowflakes over ids that are stored", () => {
  const it = testsOver(StorageMemory.layer)
  const HOUR = Duration.toMillis("1 hour")

  it("continues from the last one when the clock is behind it", function*() {
    const last = HOUR + Duration.toMillis(MAX_LEAD)
    yield* storedUntil(last)
    yield* at(HOUR)
    const { ids } = yield* afterRestart(0, 2 * SEQUENCES)
    expect(ascends([Snowflake.lastOfMillis(last), ...ids])).toBe(true)
    expect(ids.slice(-1).map(millisOf)).toEqual([EPOCH + last + 2])
  })

  it("logs once that the clock is behind, and again when it falls behind again", function*() {
    yield* storedUntil(HOUR + 15_000)
    const made = Effect.forEach([HOUR, HOUR + 20_000, HOUR], (millis) => Effect.zipRight(at(millis), nextMany(2)))
    expect((yield* withNewGenerator(0, made)).warnings).toEqual([
      "The clock is 15s 1ms behind the last id; ids continue after that one",
      "The clock is 20s behind the last id; ids continue after that one"
    ])
  })

  it("does not log a second", function*() {
    yield* storedUntil(HOUR + 999)
    yield* at(HOUR)
    expect((yield* afterRestart(0, 1)).warnings).toEqual([])
  })

  it("follows the clock if it is ahead of the last one", function*() {
    yield* storedUntil(HOUR)
    yield* at(2 * HOUR)
    const { ids, warnings } = yield* afterRestart(0, 1)
    expect([ids.map(millisOf), warnings]).toEqual([[EPOCH + 2 * HOUR], []])
  })

  it("ignores ids of a distant future, and logs a warning", function*() {
    const future = HOUR + Duration.toMillis(MAX_LEAD) + 1
    yield* storedUntil(HOUR + 1000)
    yield* storedUntil(future)
    yield* at(HOUR)
    const { ids, warnings } = yield* afterRestart(0, 1)
    expect(ids.map(millisOf)).toEqual([EPOCH + HOUR + 1001])
    expect(warnings[0]).toBe("Stored ids are more than 7d ahead of the clock; new ids are smaller than those")
  })

  it("does not mistake ids that others store in the meantime for ids of a distant future", function*() {
    const history = yield* SnowflakeHistory
    const storage = yield* Effect.context<UserRepository>()
    const store = (millis: number) => Effect.orDie(Effect.provide(storedUntil(millis), storage))
    yield* store(HOUR)
    yield* at(HOUR)
    let reads = 0
    const busy = SnowflakeHistory.of({
      ...history,
      largestUpTo: (bound) => {
        reads += 1
        return Effect.zipLeft(history.largestUpTo(bound), store(HOUR + reads))
      }
    })
    const { warnings } = yield* Effect.provideService(afterRestart(0, 1), SnowflakeHistory, busy)
    expect([reads, warnings]).toEqual([2, []])
  })

  it("continues after the last id of this epoch when the clock is at 1970", function*() {
    yield* storedUntil(HOUR)
    yield* TestClock.setTime(0)
    const { ids } = yield* afterRestart(0, 1)
    expect(ids.map(millisOf)).toEqual([EPOCH + HOUR + 1])
  })
})

const NO_NUMBER = new StorageError({ operation: "renew the lease" })

/** A worker number that the test sets and removes. */
const changing = Effect.sync(() => {
  let number: Option.Option<number> = Option.none()
  let preparation: Effect.Effect<void, StorageError> = Effect.void
  return {
    worker: {
      current: Effect.suspend(() => Option.isSome(number) ? Effect.succeed(number.value) : NO_NUMBER),
      beforeUse: (prepare: Effect.Effect<void, StorageError>) => {
        preparation = prepare
        return prepare
      }
    },
    lose: Effect.sync(() => {
      number = Option.none()
    }),
    give: (worker: number) =>
      Effect.zipRight(
        Effect.suspend(() => preparation),
        Effect.sync(() => {
          number = Option.some(worker)
        })
      )
  }
})

type Changing = Effect.Effect.Success<typeof changing>

/** Runs the test with a generator over an empty storage, whose worker number the test sets and removes. */
const withChangingNumber = <E>(
  test: (changes: Pick<Changing, "give" | "lose">) => Effect.Effect<void, E, SnowflakeGenerator | StoragePorts>
) =>
  Effect.flatMap(changing, ({ worker, ...changes }) =>
    Effect.provide(
      test(changes),
      SnowflakeGenerator.layerOfWorker.pipe(
        Layer.provide(Layer.succeed(WorkerNumber, worker)),
        Layer.provideMerge(StorageMemory.layer)
      )
    ))

describe("a generator of snowflakes whose worker number changes", () => {
  it.effect("fails without a number, and continues with another one", () =>
    withChangingNumber(({ give, lose }) =>
      Effect.gen(function*() {
        yield* at(1000)
        expect(yield* Effect.flip(next)).toBe(NO_NUMBER)
        yield* give(3)
        const before = yield* next
        yield* lose
        expect(yield* Effect.flip(next)).toBe(NO_NUMBER)
        yield* give(4)
        const after = yield* next
        expect([before, after].map(workerOf)).toEqual([3n, 4n])
        expect(ascends([before, after])).toBe(true)
      })
    ))

  it.effect("continues after its own last id when the clock went back and stored ids are smaller", () =>
    withChangingNumber(({ give, lose }) =>
      Effect.gen(function*() {
        yield* at(1000)
        yield* give(3)
        const before = yield* next
        yield* lose
        yield* storedUntil(500)
        yield* at(600)
        yield* give(3)
        expect(ascends([before, yield* next])).toBe(true)
      })
    ))

  it.effect("uses no id of the millisecond in which another process with its number stored the last one", () =>
    withChangingNumber(({ give, lose }) =>
      Effect.gen(function*() {
        yield* at(1000)
        yield* give(3)
        yield* next
        yield* lose
        yield* storedUntil(1000)
        yield* give(3)
        expect(millisOf(yield* next)).toBe(EPOCH + 1001)
      })
    ))
})
