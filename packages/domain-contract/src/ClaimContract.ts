import type { StorageError } from "@community-messaging/domain/shared-kernel/StorageError"
import type { StoragePorts } from "@community-messaging/domain/StoragePorts"
import { describe, expect } from "@effect/vitest"
import { Array as Arrays, type DateTime, Effect, type Layer, Option, Order } from "effect"
import { NOON, noonPlus } from "./Samples.ts"
import { testsOver } from "./TestsOver.ts"

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
  const it = testsOver(storage)
  const claimAt = (now: DateTime.Utc, limit = 100) => claim({ now, leaseUntil: noonPlus(LEASE_MILLIS), limit })

  describe(name, () => {
    it("work that is due at this millisecond or before is claimed, but not a millisecond early", function*() {
      const now = yield* due(NOON)
      yield* due(noonPlus(1))
      const longAgo = yield* due(noonPlus(-1_000_000_000_000))
      expect(yield* claimAt(NOON)).toEqual([longAgo, now])
    })

    it("work that is due soonest is claimed first, at most the limit", function*() {
      yield* due(noonPlus(-1))
      const third = yield* due(noonPlus(-2))
      const first = yield* due(noonPlus(-1_000_000))
      const second = yield* due(noonPlus(-30))
      expect(yield* claimAt(NOON, 3)).toEqual([first, second, third])
    })

    it("claimed work has no second claimant until the lease ends", function*() {
      const key = yield* due(NOON)
      yield* claimAt(NOON)
      expect([yield* claimAt(noonPlus(LEASE_MILLIS - 1)), yield* claimAt(noonPlus(LEASE_MILLIS))]).toEqual([[], [
        key
      ]])
    })

    it("after the lease, the new claimant has a lease of its own", function*() {
      yield* due(NOON)
      yield* claim({ now: NOON, leaseUntil: noonPlus(10), limit: 1 })
      yield* claim({ now: noonPlus(10), leaseUntil: noonPlus(20), limit: 1 })
      expect(yield* claim({ now: noonPlus(19), leaseUntil: noonPlus(30), limit: 1 })).toEqual([])
    })

    it("claimed work does not count towards the limit", function*() {
      const first = yield* due(noonPlus(-2))
      const second = yield* due(noonPlus(-1))
      expect([yield* claimAt(NOON, 1), yield* claimAt(NOON, 1), yield* claimAt(NOON, 1)])
        .toEqual([[first], [second], []])
    })

    it("claimants at the same time get different work, and together all of it", function*() {
      const keys = yield* Effect.forEach(Arrays.range(1, 20), (millis) => due(noonPlus(-millis)))
      const claims = yield* Effect.all(Arrays.replicate(claimAt(NOON, 3), 10), { concurrency: "unbounded" })
      expect(Arrays.sort(claims.flat(), Order.string)).toEqual(Arrays.sort(keys, Order.string))
    })

    it("the count of claimable work excludes claimed work and work that is due later", function*() {
      yield* due(noonPlus(-2))
      yield* due(noonPlus(-1))
      yield* due(NOON)
      yield* due(noonPlus(1))
      const before = yield* count(NOON, 100)
      yield* claimAt(NOON, 1)
      expect([before, yield* count(NOON, 100), yield* count(noonPlus(LEASE_MILLIS), 100)]).toEqual([3, 2, 4])
    })

    it("the count of claimable work is at most the limit", function*() {
      const none = yield* count(NOON, 2)
      yield* Effect.replicateEffect(due(NOON), 3)
      expect([none, yield* count(NOON, 2)]).toEqual([0, 2])
    })

    it("without due work there is no next time", function*() {
      expect(yield* nextAt).toEqual(Option.none())
    })

    it("the next time is that of the work due soonest", function*() {
      yield* due(noonPlus(2))
      yield* due(noonPlus(1))
      yield* due(noonPlus(1_000_000))
      expect(yield* nextAt).toEqual(Option.some(noonPlus(1)))
    })

    it.each<readonly [what: string, others: ReadonlyArray<number>, next: number]>([
      ["the end of the lease if all work is claimed", [], LEASE_MILLIS],
      ["that of other work that is due before the lease ends", [LEASE_MILLIS - 1], LEASE_MILLIS - 1],
      ["the end of a lease that ends before other work is due", [LEASE_MILLIS + 1], LEASE_MILLIS]
    ])("the next time is %s", function*([, others, next]) {
      yield* due(NOON)
      yield* Effect.forEach(others, (millis) => due(noonPlus(millis)))
      yield* claimAt(NOON)
      expect(yield* nextAt).toEqual(Option.some(noonPlus(next)))
    })

    it("the next time is the earliest end of several leases", function*() {
      yield* due(noonPlus(-2))
      yield* due(noonPlus(-1))
      yield* claim({ now: NOON, leaseUntil: noonPlus(20), limit: 1 })
      yield* claim({ now: NOON, leaseUntil: noonPlus(10), limit: 1 })
      expect(yield* nextAt).toEqual(Option.some(noonPlus(10)))
    })
  })
}
