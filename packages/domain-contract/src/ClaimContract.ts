import type { StorageError } from "@community-messaging/domain/shared-kernel/StorageError"
import { UnitOfWork } from "@community-messaging/domain/shared-kernel/UnitOfWork"
import type { StoragePorts } from "@community-messaging/domain/StoragePorts"
import { describe, expect, it } from "@effect/vitest"
import { Array as Arrays, type DateTime, Effect, type Layer, Option, Order } from "effect"
import { atomically } from "./Atomically.ts"
import type { Has } from "./OwnPorts.ts"
import { NOON, noonPlus } from "./Samples.ts"

/** Work that falls due and is given to claimants, whatever the work is. */
export interface Claimable<K> {
  /** Saves something that falls due at that moment. */
  readonly due: (at: DateTime.Utc) => Effect.Effect<K, unknown, StoragePorts>
  readonly claim: (options: {
    readonly now: DateTime.Utc
    readonly leaseUntil: DateTime.Utc
    readonly limit: number
  }) => Effect.Effect<ReadonlyArray<K>, StorageError, StoragePorts>
  readonly nextAt: Effect.Effect<Option.Option<DateTime.Utc>, StorageError, StoragePorts>
  readonly count: (now: DateTime.Utc, limit: number) => Effect.Effect<number, StorageError, StoragePorts>
}

const LEASE_MILLIS = 30_000

/** What is promised of claims on due work: given once, soonest first, and again when their lease has ended. */
export const claimContract = <K extends string, E>(
  name: string,
  { claim, count, due, nextAt }: Claimable<K>,
  storage: Layer.Layer<StoragePorts, E>,
  has: Has
) => {
  const claimAt = (now: DateTime.Utc, limit = 100) => claim({ now, leaseUntil: noonPlus(LEASE_MILLIS), limit })

  describe(name, () => {
    it.effect("what is due exactly now is given", () =>
      Effect.gen(function*() {
        const key = yield* due(NOON)
        expect(yield* claimAt(NOON)).toEqual([key])
      }).pipe(Effect.provide(storage)))

    it.effect("what is due one millisecond later is not given", () =>
      Effect.gen(function*() {
        yield* due(noonPlus(1))
        expect(yield* claimAt(NOON)).toEqual([])
      }).pipe(Effect.provide(storage)))

    it.effect("what has been due for long is given", () =>
      Effect.gen(function*() {
        const key = yield* due(noonPlus(-1_000_000_000_000))
        expect(yield* claimAt(NOON)).toEqual([key])
      }).pipe(Effect.provide(storage)))

    it.effect("what is due soonest is given first, and no more than asked for", () =>
      Effect.gen(function*() {
        yield* due(noonPlus(-1))
        const third = yield* due(noonPlus(-2))
        const first = yield* due(noonPlus(-1_000_000))
        const second = yield* due(noonPlus(-30))
        expect(yield* claimAt(NOON, 3)).toEqual([first, second, third])
      }).pipe(Effect.provide(storage)))

    it.effect("what is claimed is not given to another", () =>
      Effect.gen(function*() {
        yield* due(NOON)
        yield* claimAt(NOON)
        expect(yield* claimAt(noonPlus(LEASE_MILLIS - 1))).toEqual([])
      }).pipe(Effect.provide(storage)))

    it.effect("what is claimed is given to another when the lease ends", () =>
      Effect.gen(function*() {
        const key = yield* due(NOON)
        yield* claimAt(NOON)
        expect(yield* claimAt(noonPlus(LEASE_MILLIS))).toEqual([key])
      }).pipe(Effect.provide(storage)))

    it.effect("what is taken over after a lease belongs to the new claimant", () =>
      Effect.gen(function*() {
        yield* due(NOON)
        yield* claim({ now: NOON, leaseUntil: noonPlus(10), limit: 1 })
        yield* claim({ now: noonPlus(10), leaseUntil: noonPlus(20), limit: 1 })
        expect(yield* claim({ now: noonPlus(19), leaseUntil: noonPlus(30), limit: 1 })).toEqual([])
      }).pipe(Effect.provide(storage)))

    it.effect("claimed work does not count towards what is asked for", () =>
      Effect.gen(function*() {
        const first = yield* due(noonPlus(-2))
        const second = yield* due(noonPlus(-1))
        expect([yield* claimAt(NOON, 1), yield* claimAt(NOON, 1), yield* claimAt(NOON, 1)])
          .toEqual([[first], [second], []])
      }).pipe(Effect.provide(storage)))

    it.effect("claimants at a time get different work, and together all of it", () =>
      Effect.gen(function*() {
        const keys = yield* Effect.forEach(Arrays.range(1, 20), (millis) => due(noonPlus(-millis)))
        const claims = yield* Effect.all(Arrays.replicate(claimAt(NOON, 3), 10), { concurrency: "unbounded" })
        expect(Arrays.sort(claims.flat(), Order.string)).toEqual(Arrays.sort(keys, Order.string))
      }).pipe(Effect.provide(storage)))

    if (has(UnitOfWork)) {
      it.effect("a claim in a unit of work that fails is given back", () =>
        Effect.gen(function*() {
          const key = yield* due(NOON)
          yield* Effect.flip(atomically(Effect.zipRight(claimAt(NOON), Effect.fail("no"))))
          expect(yield* claimAt(NOON)).toEqual([key])
        }).pipe(Effect.provide(storage)))
    }

    it.effect("what can be claimed is counted: not what is claimed, and not what is due later", () =>
      Effect.gen(function*() {
        yield* due(noonPlus(-2))
        yield* due(noonPlus(-1))
        yield* due(NOON)
        yield* due(noonPlus(1))
        const before = yield* count(NOON, 100)
        yield* claimAt(NOON, 1)
        expect([before, yield* count(NOON, 100), yield* count(noonPlus(LEASE_MILLIS), 100)]).toEqual([3, 2, 4])
      }).pipe(Effect.provide(storage)))

    it.effect("what can be claimed is counted up to the limit", () =>
      Effect.gen(function*() {
        const none = yield* count(NOON, 2)
        yield* Effect.replicateEffect(due(NOON), 3)
        expect([none, yield* count(NOON, 2)]).toEqual([0, 2])
      }).pipe(Effect.provide(storage)))

    it.effect("without due work there is no next moment", () =>
      Effect.gen(function*() {
        expect(yield* nextAt).toEqual(Option.none())
      }).pipe(Effect.provide(storage)))

    it.effect("the next moment is that of the work due soonest", () =>
      Effect.gen(function*() {
        yield* due(noonPlus(2))
        yield* due(noonPlus(1))
        yield* due(noonPlus(1_000_000))
        expect(yield* nextAt).toEqual(Option.some(noonPlus(1)))
      }).pipe(Effect.provide(storage)))

    it.effect("the next moment is the end of the lease where everything is claimed", () =>
      Effect.gen(function*() {
        yield* due(NOON)
        yield* claimAt(NOON)
        expect(yield* nextAt).toEqual(Option.some(noonPlus(LEASE_MILLIS)))
      }).pipe(Effect.provide(storage)))

    it.effect("the next moment is that of other work due before the lease ends", () =>
      Effect.gen(function*() {
        yield* due(NOON)
        yield* due(noonPlus(LEASE_MILLIS - 1))
        yield* claimAt(NOON)
        expect(yield* nextAt).toEqual(Option.some(noonPlus(LEASE_MILLIS - 1)))
      }).pipe(Effect.provide(storage)))

    it.effect("the next moment is the end of the lease that comes before other work is due", () =>
      Effect.gen(function*() {
        yield* due(NOON)
        yield* due(noonPlus(LEASE_MILLIS + 1))
        yield* claimAt(NOON)
        expect(yield* nextAt).toEqual(Option.some(noonPlus(LEASE_MILLIS)))
      }).pipe(Effect.provide(storage)))

    it.effect("the next moment is the earliest end of several leases", () =>
      Effect.gen(function*() {
        yield* due(noonPlus(-2))
        yield* due(noonPlus(-1))
        yield* claim({ now: NOON, leaseUntil: noonPlus(20), limit: 1 })
        yield* claim({ now: NOON, leaseUntil: noonPlus(10), limit: 1 })
        expect(yield* nextAt).toEqual(Option.some(noonPlus(10)))
      }).pipe(Effect.provide(storage)))
  })
}
