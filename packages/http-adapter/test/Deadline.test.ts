import * as Deadline from "@community-messaging/http-adapter/server/Deadline"
import { describe, expect, it } from "@effect/vitest"
import { Chunk, Duration, Effect, TestClock } from "effect"

/** Work that begins after so many seconds and takes so many, under one deadline of ten; which of it expired, in order. */
const expired = (...work: ReadonlyArray<readonly [name: string, begins: number, takes: number]>) =>
  Effect.gen(function*() {
    const names: Array<string> = []
    const withDeadline = yield* Deadline.make(Duration.seconds(10))
    for (const [name, begins, takes] of work) {
      yield* withDeadline(Effect.sleep(Duration.seconds(takes)), () => names.push(name)).pipe(
        Effect.delay(Duration.seconds(begins)),
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

  it.scoped("passes anew after a time without work", () =>
    Effect.gen(function*() {
      expect(yield* expired(["first", 0, 11], ["much later", 600, 11])).toEqual(["first", "much later"])
    }))

  it.scoped("needs one timer for all work", () =>
    Effect.gen(function*() {
      const withDeadline = yield* Deadline.make(Duration.seconds(10))
      for (const _ of Array.from({ length: 100 })) yield* Effect.fork(withDeadline(Effect.never, () => {}))
      yield* Effect.yieldNow()
      expect(Chunk.size(yield* TestClock.sleeps())).toBe(1)
    }))

  it.scoped("of infinity never passes", () =>
    Effect.gen(function*() {
      const withDeadline = yield* Deadline.make(Duration.infinity)
      yield* Effect.fork(withDeadline(Effect.never, () => {}))
      expect(yield* TestClock.sleeps()).toEqual(Chunk.empty())
    }))
})
