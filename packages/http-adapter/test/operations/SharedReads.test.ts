import { yieldingBefore } from "@community-messaging/domain-contract/world/YieldingFiber"
import { UserId } from "@community-messaging/domain/account/User"
import { UserDeleted } from "@community-messaging/domain/account/UserEvents"
import { EventLog } from "@community-messaging/domain/shared-kernel/EventLog"
import { nextTurn } from "@community-messaging/event-loop/NextTurn"
import { sharedReads } from "@community-messaging/http-adapter/operations/SharedReads"
import * as StorageMemory from "@community-messaging/storage-memory/StorageMemory"
import { describe, expect, it } from "@effect/vitest"
import { Array as Arrays, Deferred, Effect, Fiber, Scheduler } from "effect"

const append = (id: number) =>
  Effect.flatMap(EventLog, (log) => log.append(UserDeleted.make({ version: 1, userId: UserId.make(String(id)) })))

/** Shared reads of a log that counts its reads. */
const counted = Effect.map(EventLog, (log) => {
  const positions: Array<number> = []
  const read = sharedReads((after, limit) =>
    Effect.suspend(() => {
      positions.push(after)
      return log.read(after, limit)
    })
  )
  return { positions, read: (after: number, limit = 10) => Effect.map(read(after, limit), ({ length }) => length) }
})

describe("readers of a log of events", () => {
  it.live("share one read if they wait at the same position", () =>
    Effect.gen(function*() {
      yield* append(1)
      yield* append(2)
      const { positions, read } = yield* counted
      const found = yield* Effect.all([read(0), read(1), read(0), read(0)], { concurrency: "unbounded" })
      expect(found).toEqual([2, 1, 2, 2])
      expect(positions).toEqual([0, 1])
      const later = yield* Effect.all([read(2), read(2), read(2)], { concurrency: "unbounded" })
      expect(later).toEqual([0, 0, 0])
      expect(positions).toEqual([0, 1, 2])
    }).pipe(Effect.provide(StorageMemory.layer)))

  it.live("share a full page that one ahead of them has read, while another waits", () =>
    Effect.gen(function*() {
      yield* append(1)
      yield* append(2)
      const { positions, read } = yield* counted
      const ahead = yield* Effect.fork(read(0, 2))
      yield* Effect.fork(read(2, 2))
      expect(yield* Fiber.join(ahead)).toBe(2)
      expect(yield* read(0, 2)).toBe(2)
      expect(positions).toEqual([0, 2])
    }).pipe(Effect.provide(StorageMemory.layer)))

  it.live("read again a page after many others, so that few pages are in memory", () =>
    Effect.gen(function*() {
      const ids = Arrays.range(1, 10)
      for (const id of ids) yield* append(id)
      const { positions, read } = yield* counted
      yield* Effect.fork(Effect.forever(read(0, 1)))
      for (const position of ids) yield* read(position, 1)
      yield* read(1, 1)
      expect(positions.filter((position) => position === 1)).toHaveLength(2)
    }).pipe(Effect.provide(StorageMemory.layer)))

  it.live("read again what was read while no other waited: it may have been removed", () =>
    Effect.gen(function*() {
      for (const id of [1, 2]) yield* append(id)
      const { positions, read } = yield* counted
      yield* read(0, 2)
      yield* read(0, 2)
      expect(positions).toEqual([0, 0])
    }).pipe(Effect.provide(StorageMemory.layer)))

  it.live("read again what was read for one that left before its turn: it may have been removed", () =>
    Effect.gen(function*() {
      for (const id of [1, 2]) yield* append(id)
      const { positions, read } = yield* counted
      for (const step of Arrays.range(1, 60)) {
        const first = yield* Effect.fork(read(0, 2))
        yield* yieldingBefore(step, read(0, 2))
        yield* Fiber.join(first)
        yield* Effect.repeatN(nextTurn, 5)
        positions.length = 0
        yield* read(0, 2)
        expect([step, positions]).toEqual([step, [0]])
      }
    }).pipe(Effect.provide(StorageMemory.layer)))

  it.live("do not share a read of fewer events than they request", () =>
    Effect.gen(function*() {
      yield* append(1)
      yield* append(2)
      const { read } = yield* counted
      expect(yield* Effect.all([read(0, 1), read(0, 2)], { concurrency: "unbounded" })).toEqual([1, 2])
    }).pipe(Effect.provide(StorageMemory.layer)))

  it.live("do not share a read that began before their request: it may lack an event", () =>
    Effect.gen(function*() {
      const log = yield* EventLog
      const hasRead = yield* Deferred.make<void>()
      const goesOn = yield* Deferred.make<void>()
      let reads = 0
      const read = sharedReads((after, limit) =>
        Effect.gen(function*() {
          reads += 1
          const events = yield* log.read(after, limit)
          yield* Deferred.succeed(hasRead, undefined)
          yield* Deferred.await(goesOn)
          return events
        })
      )
      const early = yield* Effect.fork(read(0, 10))
      yield* Deferred.await(hasRead)
      yield* append(1)
      const late = yield* Effect.fork(read(0, 10))
      yield* Deferred.succeed(goesOn, undefined)
      expect(yield* Fiber.join(early)).toEqual([])
      expect(yield* Fiber.join(late)).toHaveLength(1)
      expect(reads).toBe(2)
    }).pipe(Effect.provide(StorageMemory.layer)))

  it.live("continue when one of them leaves, or fails to read", () =>
    Effect.gen(function*() {
      const log = yield* EventLog
      yield* append(1)
      let reads = 0
      const read = sharedReads((after, limit) =>
        Effect.suspend(() => {
          reads += 1
          return reads === 1 ? Effect.dieMessage("no storage") : log.read(after, limit)
        })
      )
      const failing = yield* Effect.fork(Effect.exit(read(0, 10)))
      const leaving = yield* Effect.fork(read(0, 10))
      const staying = yield* Effect.fork(read(0, 10))
      yield* Effect.yieldNow()
      yield* Fiber.interrupt(leaving)
      expect((yield* Fiber.join(failing))._tag).toBe("Failure")
      expect(yield* Fiber.join(staying)).toHaveLength(1)
    }).pipe(Effect.provide(StorageMemory.layer)))

  it.live("do not wake all others each time that one continues", () =>
    Effect.gen(function*() {
      const { read } = yield* counted
      const wakesOf = (readers: number) =>
        Effect.gen(function*() {
          let wakes = 0
          const underlying = Scheduler.defaultScheduler
          const scheduler = Scheduler.make((...task) => {
            wakes += 1
            underlying.scheduleTask(...task)
          })
          const all = Effect.all(Arrays.makeBy(readers, () => read(0)), { concurrency: "unbounded" })
          yield* Effect.withScheduler(all, scheduler)
          return wakes
        })
      expect(yield* wakesOf(200)).toBeLessThan(5 * (yield* wakesOf(50)))
    }).pipe(Effect.provide(StorageMemory.layer)))
})
