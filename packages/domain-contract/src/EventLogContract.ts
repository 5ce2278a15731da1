import { DomainEvent } from "@community-messaging/domain/event/DomainEvent"
import * as EventStream from "@community-messaging/domain/event/EventStream"
import { EventLog } from "@community-messaging/domain/shared-kernel/EventLog"
import { UnitOfWork } from "@community-messaging/domain/shared-kernel/UnitOfWork"
import { expect, layer } from "@effect/vitest"
import {
  Array as Arrays,
  Context,
  DateTime,
  Effect,
  Exit,
  Fiber,
  Layer,
  Option,
  Queue,
  Scope,
  Stream,
  TestClock
} from "effect"
import { arbitrary, MANY_RUNS } from "./Arbitraries.ts"
import { portContract } from "./OwnPorts.ts"
import { plainData } from "./PlainData.ts"
import * as Samples from "./Samples.ts"

const plain = plainData(DomainEvent)

/** The contract of `EventLog`. `UnitOfWorkContract` tests events in units of work. */
export const eventLogContract = portContract<EventLog>("EventLog", ({ has, it, storage }) => {
  layer(storage)((it) => {
    it.effect.prop(
      "an event of any type is read with every field",
      { event: arbitrary(DomainEvent) },
      ({ event }) =>
        Effect.gen(function*() {
          const events = yield* EventLog
          const before = (yield* events.read(0, 1_000_000)).at(-1)?.sequence ?? 0
          yield* events.append(event)
          expect((yield* EventStream.read(before, 10)).map((read) => plain(read.event))).toEqual([plain(event)])
        }),
      MANY_RUNS
    )
  })

  it("events are read page by page in the order in which they were appended, also while the clock goes back", function*() {
    const events = yield* EventLog
    const appended = Arrays.makeBy(20, () => Samples.event())
    yield* Effect.forEach(
      appended,
      (event, index) => Effect.zipRight(TestClock.setTime((20 - index) * 3_600_000), events.append(event))
    )
    const first = yield* EventStream.read(0, 7)
    const rest = yield* EventStream.read(first.at(-1)?.sequence ?? 0, 7)
    const read = [...first, ...rest]
    expect(read.map(({ event }) => plain(event))).toEqual(appended.slice(0, 14).map(plain))
    expect(read.every(({ sequence }, index) => sequence > (read[index - 1]?.sequence ?? 0))).toBe(true)
  })

  it("a subscriber is notified of a commit that appended events, and once of many before it takes the notification", function*() {
    const events = yield* EventLog
    const { atomically } = yield* UnitOfWork
    const appended = yield* events.subscribe
    yield* atomically(Effect.zipRight(events.append(Samples.event()), events.append(Samples.event())))
    yield* events.append(Samples.event())
    yield* Queue.take(appended)
    expect(yield* Queue.poll(appended)).toEqual(Option.none())
  })

  it("a subscriber that takes no notifications does not delay those of others", function*() {
    const events = yield* EventLog
    const slow = yield* events.subscribe
    const appended = yield* events.subscribe
    yield* events.append(Samples.event())
    yield* Queue.take(appended)
    yield* events.append(Samples.event())
    yield* Queue.take(appended)
    yield* Queue.take(slow)
    expect(yield* Queue.poll(slow)).toEqual(Option.none())
  })

  it("a subscriber that waits is interrupted when the storage closes", function*() {
    const scope = yield* Scope.make()
    const { subscribe } = Context.get(yield* Layer.buildWithScope(storage, scope), EventLog)
    const waiting = yield* Effect.fork(Queue.take(yield* subscribe))
    yield* Scope.close(scope, Exit.void)
    expect(Exit.isInterrupted(yield* Fiber.await(waiting))).toBe(true)
  })

  it("a subscriber that is two notifications behind takes none of another one", function*() {
    const events = yield* EventLog
    const [slow, fast, last] = yield* Effect.all([events.subscribe, events.subscribe, events.subscribe])
    yield* events.append(Samples.event())
    yield* Queue.take(fast)
    yield* Queue.take(last)
    yield* events.append(Samples.event())
    yield* Queue.take(fast)
    yield* Queue.poll(slow)
    yield* Queue.poll(slow)
    expect(yield* Queue.poll(last)).toEqual(Option.some(undefined))
  })

  if (has(UnitOfWork)) {
    it("subscribers are not notified of events that were rolled back, also in an inner unit of work", function*() {
      const events = yield* EventLog
      const { atomically } = yield* UnitOfWork
      const appended = yield* events.subscribe
      const failing = atomically(Effect.zipRight(events.append(Samples.event()), Effect.fail("rolled back")))
      yield* Effect.flip(failing)
      yield* atomically(Effect.flip(failing))
      expect(yield* Queue.poll(appended)).toEqual(Option.none())
    })

    it("subscribers are notified of events of an inner unit of work when the outer one is committed", function*() {
      const events = yield* EventLog
      const { atomically } = yield* UnitOfWork
      const appended = yield* events.subscribe
      const early = yield* atomically(
        Effect.zipRight(atomically(events.append(Samples.event())), Queue.poll(appended))
      )
      yield* Queue.take(appended)
      expect(early).toEqual(Option.none())
    })
  }

  it("a subscriber that is notified of a commit finds its events in the log", function*() {
    const events = yield* EventLog
    const { atomically } = yield* UnitOfWork
    const appended = yield* events.subscribe
    const found = yield* Effect.fork(Effect.zipRight(Queue.take(appended), events.read(0, 10)))
    yield* atomically(Effect.zipRight(events.append(Samples.event()), Effect.yieldNow()))
    expect((yield* Fiber.join(found)).length).toBe(1)
  })

  it("events before a time are removed, oldest first and at most the limit; numbers are not reused", function*() {
    const events = yield* EventLog
    const numbers = Effect.map(events.read(0, 100), (read) => read.map(({ sequence }) => sequence))
    yield* Effect.forEach([0, 0, 1, 2], (millis) =>
      Effect.zipRight(
        TestClock.setTime(DateTime.toEpochMillis(Samples.noonPlus(millis))),
        events.append(Samples.event())
      ))
    const all = yield* numbers

    expect(yield* events.removeBefore(Samples.noonPlus(0), 10)).toBe(0)
    expect(yield* events.removeBefore(Samples.noonPlus(2), 2)).toBe(2)
    expect(yield* numbers).toEqual(all.slice(2))
    expect(yield* events.removeBefore(Samples.noonPlus(3), 10)).toBe(2)
    yield* events.append(Samples.event())
    expect((yield* numbers).every((sequence) => sequence > Math.max(...all))).toBe(true)
  })

  it("events before a time are removed although an earlier one, of a clock that was ahead, is not", function*() {
    const events = yield* EventLog
    yield* Effect.forEach([2, 0], (millis) =>
      Effect.zipRight(
        TestClock.setTime(DateTime.toEpochMillis(Samples.noonPlus(millis))),
        events.append(Samples.event())
      ))
    const [ahead] = yield* events.read(0, 10)
    expect(yield* events.removeBefore(Samples.noonPlus(1), 10)).toBe(1)
    expect((yield* events.read(0, 10)).map(({ sequence }) => sequence)).toEqual([ahead?.sequence])
  })

  it("after the end of the log a reader gets later events only, also when all earlier ones are removed", function*() {
    const events = yield* EventLog
    expect(yield* events.read(yield* events.end, 10)).toEqual([])
    yield* Effect.forEach(Arrays.makeBy(3, () => Samples.event()), events.append)
    const end = yield* events.end
    const later = Samples.event()
    yield* events.append(later)
    expect((yield* EventStream.read(end, 10)).map(({ event }) => plain(event))).toEqual([plain(later)])

    yield* TestClock.adjust("1 hour")
    yield* events.removeBefore(yield* DateTime.now, 10)
    const emptied = yield* events.end
    const last = Samples.event()
    yield* events.append(last)
    expect((yield* EventStream.read(emptied, 10)).map(({ event }) => plain(event))).toEqual([plain(last)])
  })

  it("the end of the log stays the number of the last event when all events are removed", function*() {
    const events = yield* EventLog
    expect(yield* events.end).toBe(0)
    yield* Effect.forEach(Arrays.makeBy(3, () => Samples.event()), events.append)
    const last = (yield* events.read(0, 10)).at(-1)?.sequence
    yield* TestClock.adjust("1 hour")
    expect(yield* events.removeBefore(yield* DateTime.now, 10)).toBe(3)
    expect(yield* events.end).toBe(last)
    expect(yield* EventStream.continuation(2)).toBe(2)
  })

  if (has(UnitOfWork)) {
    it("the end of the log is that of the committed events: events that are rolled back do not count", function*() {
      const events = yield* EventLog
      const { atomically } = yield* UnitOfWork
      yield* events.append(Samples.event())
      const before = yield* events.end
      yield* Effect.exit(atomically(Effect.zipRight(events.append(Samples.event()), Effect.fail("rolled back"))))
      expect(yield* events.end).toBe(before)
    })
  }

  it("a stream emits every event after a number, sleeps at the end of the log and continues with the next commit", function*() {
    const events = yield* EventLog
    const before = Arrays.makeBy(150, () => Samples.event())
    const later = Arrays.makeBy(3, () => Samples.event())
    yield* Effect.forEach(before, events.append)
    const first = (yield* events.read(0, 1)).at(0)?.sequence ?? 0
    const streamed = yield* Effect.fork(
      Stream.runCollect(Stream.take(EventStream.from(first), before.length + later.length - 1))
    )
    yield* Effect.yieldNow()
    yield* Effect.forEach(later, events.append)
    expect(Array.from(yield* Fiber.join(streamed), ({ event }) => plain(event)))
      .toEqual([...before.slice(1), ...later].map(plain))
  })
})
