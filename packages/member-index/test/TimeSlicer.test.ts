import * as TimeSlicer from "@community-messaging/member-index/TimeSlicer"
import { describe, expect, it } from "@effect/vitest"
import { Effect, Fiber } from "effect"

/** Work that has this number of steps of a millisecond, and the steps that were done in each turn of the event loop. */
const sliced = () => {
  const turns: Array<Array<string>> = [[]]
  let now = 0
  let isWatching = true
  const watch = () => {
    turns.push([])
    if (isWatching) setImmediate(watch)
  }
  setImmediate(watch)
  const slicer = TimeSlicer.make(() => now)
  return {
    turns,
    work: (name: string, steps: number) => {
      let done = 0
      return slicer(Effect.sync(() => {
        now += 1
        done += 1
        turns.at(-1)?.push(name)
        return done < steps
      }))
    },
    end: Effect.sync(() => {
      isWatching = false
    })
  }
}

describe("Long work in slices", () => {
  it.effect("runs for two milliseconds in each turn of the event loop, and ends with its last step", () =>
    Effect.gen(function*() {
      const { end, turns, work } = sliced()
      yield* work("a", 5)
      yield* end
      expect(turns.filter((turn) => turn.length > 0)).toEqual([["a", "a"], ["a", "a"], ["a"]])
    }))

  it.effect("takes turns with other long work, one slice in each turn for all together", () =>
    Effect.gen(function*() {
      const { end, turns, work } = sliced()
      const fibers = yield* Effect.forEach(["a", "b"], (name) => Effect.fork(work(name, 4)))
      yield* Fiber.joinAll(fibers)
      yield* end
      expect(turns.filter((turn) => turn.length > 0)).toEqual([["a", "a"], ["b", "b"], ["a", "a"], ["b", "b"]])
    }))

  it.effect("does not continue after it is interrupted", () =>
    Effect.gen(function*() {
      const { end, turns, work } = sliced()
      const fiber = yield* Effect.fork(work("a", 1_000_000))
      yield* work("b", 4)
      yield* Fiber.interrupt(fiber)
      const done = turns.flat().length
      yield* work("c", 4)
      yield* end
      expect(turns.flat().length).toBe(done + 4)
    }))
})
