import * as Deadline from "@community-messaging/event-loop/Deadline"
import { describe, expect, it } from "@effect/vitest"
import { Chunk, Deferred, Duration, Effect, TestClock } from "effect"
import { SettableClock } from "../../../test/SettableClock.ts"

/** Runs work that begins after some seconds and takes some, with a deadline of ten. Returns the expired work. */
const expired = (...work: ReadonlyArray<readonly [name: string, begins: number, takes: number]>) =>
  Effect.gen(function*() {
    const names: Array<string> = []
    const deadlines = yield* Deadline.make(Duration.seconds(10))
    for (const [name, begins, takes] of work) {
      const deadline = deadlines(() => names.push(name))
      yield* Effect.sync(deadline.begin).pipe(
        Effect.delay(Duration.seconds(begins)),
        Effect.zipRight(Effect.sleep(Duration.seconds(takes))),
        Effect.zipRight(Effect.sync(deadline.end)),
        Effect.fork
      )
    }
    yield* TestClock.adjust("1 hour")
    return names
  })

describe("A deadline", () => {
  it.scoped("passes for work that takes longer, in the order in which it began", () =>
    Effect.gen(function*() {
      expect(yield* expired(["third", 10, 30], ["first", 0, 11], ["second", 5, 20])).toEqual([
        "first",
        "second",
        "third"
      ])
    }))

  it.scoped("does not pass for work that is done in time", () =>
    Effect.gen(function*() {
      expect(yield* expired(["short", 0, 9], ["after another one", 8, 9])).toEqual([])
    }))

  it.scoped("passes again after a time without work", () =>
    Effect.gen(function*() {
      expect(yield* expired(["first", 0, 11], ["much later", 600, 11])).toEqual(["first", "much later"])
    }))

  it.scoped("counts only between begin and end", () =>
    Effect.gen(function*() {
      const names: Array<string> = []
      const deadline = (yield* Deadline.make(Duration.seconds(10)))(() => names.push("passed"))
      deadline.begin()
      yield* TestClock.adjust("9 seconds")
      deadline.end()
      yield* TestClock.adjust("9 seconds")
      deadline.begin()
      yield* TestClock.adjust("9 seconds")
      deadline.end()
      yield* TestClock.adjust("1 hour")
      expect(names).toEqual([])
    }))

  it.scoped("restarts when it begins again without an end", () =>
    Effect.gen(function*() {
      const names: Array<string> = []
      const deadline = (yield* Deadline.make(Duration.seconds(10)))(() => names.push("passed"))
      deadline.begin()
      yield* TestClock.adjust("9 seconds")
      deadline.begin()
      yield* TestClock.adjust("9 seconds")
      expect(names).toEqual([])
      yield* TestClock.adjust("1 second")
      expect(names).toEqual(["passed"])
    }))

  it.scoped("passes for other work, too, if `onExpiry` of one throws", () =>
    Effect.gen(function*() {
      const names: Array<string> = []
      const deadlines = yield* Deadline.make(Duration.seconds(10))
      deadlines(() => {
        throw new Error("a bug")
      }).begin()
      deadlines(() => names.push("at the same time")).begin()
      yield* TestClock.adjust("10 seconds")
      deadlines(() => names.push("later")).begin()
      yield* TestClock.adjust("10 seconds")
      expect(names).toEqual(["at the same time", "later"])
    }))

  it.scoped("does not pass because the wall clock is set", () =>
    Effect.gen(function*() {
      const clock = new SettableClock()
      const names: Array<string> = []
      const passed = yield* Deferred.make<void>()
      const deadlines = yield* Effect.withClock(Deadline.make(Duration.seconds(10)), clock)
      deadlines(() => {
        names.push("first")
        Deferred.unsafeDone(passed, Effect.void)
      }).begin()
      clock.setWall(Duration.toMillis("1 day"))
      clock.pass("9 seconds")
      deadlines(() => names.push("second")).begin()
      clock.pass("1 second")
      yield* Deferred.await(passed)
      expect(names).toEqual(["first"])
    }))

  it.scoped("needs one timer for all work", () =>
    Effect.gen(function*() {
      const deadlines = yield* Deadline.make(Duration.seconds(10))
      for (const _ of Array.from({ length: 100 })) deadlines(() => {}).begin()
      yield* Effect.yieldNow()
      expect(Chunk.size(yield* TestClock.sleeps())).toBe(1)
    }))

  it.scoped("of infinity never passes", () =>
    Effect.gen(function*() {
      const deadlines = yield* Deadline.make(Duration.infinity)
      deadlines(() => {}).begin()
      expect(yield* TestClock.sleeps()).toEqual(Chunk.empty())
    }))
})
