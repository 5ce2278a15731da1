import { testsOver } from "@community-messaging/domain-contract/TestsOver"
import { interrupt, letOthersRun, yieldingBefore } from "@community-messaging/domain-contract/world/YieldingFiber"
import { UserId } from "@community-messaging/domain/account/User"
import { UserDeleted } from "@community-messaging/domain/account/UserEvents"
import type { DomainEvent } from "@community-messaging/domain/event/DomainEvent"
import * as EventStream from "@community-messaging/domain/event/EventStream"
import { EventLog } from "@community-messaging/domain/shared-kernel/EventLog"
import * as StorageMemory from "@community-messaging/storage-memory/StorageMemory"
import { describe, expect } from "@effect/vitest"
import { Chunk, type Context, DateTime, Effect, Fiber, Queue, Stream, TestClock } from "effect"

const event = (id: number) => UserDeleted.make({ version: 1, userId: UserId.make(String(id)) })

const append = (...ids: ReadonlyArray<number>) =>
  Effect.flatMap(EventLog, (log) => Effect.forEach(ids, (id) => log.append(event(id)), { discard: true }))

const idOf = (told: DomainEvent): string => told._tag === "user.deleted" ? told.userId : told._tag

/** Returns the ids of the first `count` events after this sequence number, once there are so many. */
const told = (after: number, count: number) =>
  Effect.map(
    Stream.runCollect(Stream.take(EventStream.from(after), count)),
    (events) => Chunk.toReadonlyArray(events).map((sequenced) => idOf(sequenced.event))
  )

const upTo = (last: number) => Array.from({ length: last }, (_, index) => index + 1)

const it = testsOver(StorageMemory.layer)

describe("the stream of events", () => {
  it("reaches every reader", function*() {
    const readers = yield* Effect.forEach(upTo(3), () => Effect.fork(told(0, 2)))
    yield* Effect.yieldNow()
    yield* append(1, 2)
    expect(yield* Fiber.join(Fiber.all(readers))).toEqual([["1", "2"], ["1", "2"], ["1", "2"]])
  })

  it("fails at an event of an unknown type, instead of leaving it out", function*() {
    yield* append(...upTo(99))
    const log = yield* EventLog
    const newer: Context.Tag.Service<EventLog> = {
      ...log,
      read: (after, limit) =>
        Effect.map(log.read(after, limit - 1), (events) => [
          ...events,
          {
            sequence: after + limit,
            occurredAt: DateTime.unsafeMake(0),
            event: { _tag: "user.invented", version: 1 }
          }
        ])
    }
    const failure = yield* Effect.flip(Effect.provideService(told(0, 100), EventLog, newer))
    expect(failure.message).toBe("Storage failed: read events: a type is unknown")
  })

  it("ends with its reader, before whatever step this one is interrupted", function*() {
    for (const step of upTo(250)) {
      const reader = yield* yieldingBefore(step, Stream.runDrain(EventStream.pages(0, "15 seconds")))
      yield* letOthersRun
      interrupt(reader)
      yield* letOthersRun
      expect([step, reader.unsafePoll() === null]).toEqual([step, false])
    }
  })

  it("has pages, and an empty one whenever no event happened for a while", function*() {
    yield* append(...upTo(150))
    const sizes: Array<number> = []
    const reader = yield* Effect.fork(
      Stream.runForEach(EventStream.pages(0, "15 seconds"), (page) => Effect.sync(() => sizes.push(page.length)))
    )
    yield* TestClock.adjust("14 seconds")
    expect(sizes).toEqual([100, 50])
    yield* append(151)
    yield* TestClock.adjust("14 seconds")
    expect(sizes).toEqual([100, 50, 1])
    yield* TestClock.adjust("16 seconds")
    expect(sizes).toEqual([100, 50, 1, 0, 0])
    yield* append(152)
    yield* TestClock.adjust("1 seconds")
    expect(sizes).toEqual([100, 50, 1, 0, 0, 1])
    yield* Fiber.interrupt(reader)
  })

  it("has an empty page in time while commits of others append no event", function*() {
    const log = yield* EventLog
    const signals = yield* Queue.unbounded<void>()
    const sizes: Array<number> = []
    const reader = yield* Effect.fork(
      Stream.runForEach(EventStream.pages(0, "15 seconds"), (page) => Effect.sync(() => sizes.push(page.length)))
        .pipe(
          Effect.provideService(EventLog, { ...log, subscribe: Effect.succeed(signals) })
        )
    )
    for (let second = 0; second < 30; second += 5) {
      yield* Queue.offer(signals, undefined)
      yield* TestClock.adjust("5 seconds")
    }
    expect(sizes).toEqual([0, 0])
    yield* Fiber.interrupt(reader)
  })

  it("begins at the end of the log for a reader that is ahead of it, as after a restored backup", function*() {
    yield* append(1, 2)
    const reader = yield* Effect.fork(told(500, 1))
    yield* TestClock.adjust("1 seconds")
    yield* append(3)
    expect(yield* Fiber.join(reader)).toEqual(["3"])
  })
})
