import type { StorageError } from "@community-messaging/domain/shared-kernel/StorageError"
import type { StoragePorts } from "@community-messaging/domain/StoragePorts"
import { describe, expect, it } from "@effect/vitest"
import { Array as Arrays, type DateTime, Effect, type Layer, Option, Order } from "effect"
import { NOON, noonPlus } from "./Samples.ts"

/** Any kind of work that becomes due and is claimed. */
export interface Claimable<K> {
  /** Saves an item that is due at this time. */
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

/** The contract of claims on due work: soonest first, one claimant for each item, and another claimant after the lease. */
export const claimContract = <K extends string, E>(
  name: string,
  { claim, count, due, nextAt }: Claimable<K>,
  storage: Layer.Layer<StoragePorts, E>
) => {
  const claimAt = (now: DateTime.Utc, limit = 100) => claim({ now, leaseUntil: noonPlus(LEASE_MILLIS), limit })

  describe(name, () => {
    it.effect("work that is due at this millisecond or before is claimed, but not a millisecond early", () =>
      Effect.gen(function*() {
        const now = yield* due(NOON)
        yield* due(noonPlus(1))
        const longAgo = yield* due(noonPlus(-1_000_000_000_000))
        expect(yield* claimAt(NOON)).toEqual([longAgo, now])
      }).pipe(Effect.provide(storage)))

    it.effect("work that is due soonest is claimed first, at most the limit", () =>
      Effect.gen(function*() {
        yield* due(noonPlus(-1))
        const third = yield* due(noonPlus(-2))
        const first = yield* due(noonPlus(-1_000_000))
        const second = yield* due(noonPlus(-30))
        expect(yield* claimAt(NOON, 3)).toEqual([first, second, third])
      }).pipe(Effect.provide(storage)))

    it.effect("claimed work has no second claimant until the lease ends", () =>
      Effect.gen(function*() {
        const key = yield* due(NOON)
        yield* claimAt(NOON)
        expect([yield* claimAt(noonPlus(LEASE_MILLIS - 1)), yield* claimAt(noonPlus(LEASE_MILLIS))]).toEqual([[], [
          key
        ]])
      }).pipe(Effect.provide(storage)))

    it.effect("after the lease, the new claimant has a lease of its own", () =>
      Effect.gen(function*() {
        yield* due(NOON)
        yield* claim({ now: NOON, leaseUntil: noonPlus(10), limit: 1 })
        yield* claim({ now: noonPlus(10), leaseUntil: noonPlus(20), limit: 1 })
        expect(yield* claim({ now: noonPlus(19), leaseUntil: noonPlus(30), limit: 1 })).toEqual([])
      }).pipe(Effect.provide(storage)))

    it.effect("claimed work does not count towards the limit", () =>
      Effect.gen(function*() {
        const first = yield* due(noonPlus(-2))
        const second = yield* due(noonPlus(-1))
        expect([yield* claimAt(NOON, 1), yield* claimAt(NOON, 1), yield* claimAt(NOON, 1)])
          .toEqual([[first], [second], []])
      }).pipe(Effect.provide(storage)))

    it.effect("claimants at the same time get different work, and together all of it", () =>
      Effect.gen(function*() {
        const keys = yield* Effect.forEach(Arrays.range(1, 20), (millis) => due(noonPlus(-millis)))
        const claims = yield* Effect.all(Arrays.replicate(claimAt(NOON, 3), 10), { concurrency: "unbounded" })
        expect(Arrays.sort(claims.flat(), Order.string)).toEqual(Arrays.sort(keys, Order.string))
      }).pipe(Effect.provide(storage)))

    it.effect("the count of claimable work excludes claimed work and work that is due later", () =>
      Effect.gen(function*() {
        yield* due(noonPlus(-2))
        yield* due(noonPlus(-1))
        yield* due(NOON)
        yield* due(noonPlus(1))
        const before = yield* count(NOON, 100)
        yield* claimAt(NOON, 1)
        expect([before, yield* count(NOON, 100), yield* count(noonPlus(LEASE_MILLIS), 100)]).toEqual([3, 2, 4])
      }).pipe(Effect.provide(storage)))

    it.effect("the count of claimable work is at most the limit", () =>
      Effect.gen(function*() {
        const none = yield* count(NOON, 2)
        yield* Effect.replicateEffect(due(NOON), 3)
        expect([none, yield* count(NOON, 2)]).toEqual([0, 2])
      }).pipe(Effect.provide(storage)))

    it.effect("without due work there is no next time", () =>
      Effect.gen(function*() {
        expect(yield* nextAt).toEqual(Option.none())
      }).pipe(Effect.provide(storage)))

    it.effect("the next time is that of the work due soonest", () =>
      Effect.gen(function*() {
        yield* due(noonPlus(2))
        yield* due(noonPlus(1))
        yield* due(noonPlus(1_000_000))
        expect(yield* nextAt).toEqual(Option.some(noonPlus(1)))
      }).pipe(Effect.provide(storage)))

    it.effect.each<readonly [what: string, others: ReadonlyArray<number>, next: number]>([
      ["the end of the lease if all work is claimed", [], LEASE_MILLIS],
      ["that of other work that is due before the lease ends", [LEASE_MILLIS - 1], LEASE_MILLIS - 1],
      ["the end of a lease that ends before other work is due", [LEASE_MILLIS + 1], LEASE_MILLIS]
    ])("the next time is %s", ([, others, next]) =>
      Effect.gen(function*() {
        yield* due(NOON)
        yield* Effect.forEach(others, (millis) => due(noonPlus(millis)))
        yield* claimAt(NOON)
        expect(yield* nextAt).toEqual(Option.some(noonPlus(next)))
      }).pipe(Effect.provide(storage)))

    it.effect("the next time is the earliest end of several leases", () =>
      Effect.gen(function*() {
        yield* due(noonPlus(-2))
        yield* due(noonPlus(-1))
        yield* claim({ now: NOON, leaseUntil: noonPlus(20), limit: 1 })
        yield* claim({ now: NOON, leaseUntil: noonPlus(10), limit: 1 })
        expect(yield* nextAt).toEqual(Option.some(noonPlus(10)))
      }).pipe(Effect.provide(storage)))
  })
}
