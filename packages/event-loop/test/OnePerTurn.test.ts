import { nextTurn } from "@community-messaging/event-loop/NextTurn"
import { OnePerTurn } from "@community-messaging/event-loop/OnePerTurn"
import { describe, expect, it } from "@effect/vitest"
import { Effect } from "effect"
import { vi } from "vitest"

/** Work, and what was done in each turn of the event loop. */
const recorded = () => {
  const done: Array<Array<string>> = []
  const onePerTurn = new OnePerTurn()
  return {
    done,
    add: (name: string) => onePerTurn.add(() => done.at(-1)?.push(name)),
    passTurn: Effect.suspend(() => {
      done.push([])
      return nextTurn
    })
  }
}

describe("Work that is done one by one", () => {
  it.effect("gets a turn of the event loop for each piece, in their order", () =>
    Effect.gen(function*() {
      const { add, done, passTurn } = recorded()
      for (const name of ["a", "b", "c"]) add(name)
      expect(done).toEqual([])
      yield* passTurn
      add("d")
      yield* Effect.replicateEffect(passTurn, 4)
      expect(done).toEqual([["a"], ["b"], ["c"], ["d"], []])
    }))

  it.effect("requests no turn when no work remains", () =>
    Effect.gen(function*() {
      const { add, passTurn } = recorded()
      add("a")
      yield* passTurn
      const requested = vi.spyOn(globalThis, "setImmediate")
      yield* passTurn
      expect(requested.mock.calls.length).toBe(1)
      requested.mockRestore()
    }))

  it.effect("continues after a pause", () =>
    Effect.gen(function*() {
      const { add, done, passTurn } = recorded()
      add("a")
      yield* passTurn
      yield* passTurn
      add("b")
      yield* passTurn
      expect(done).toEqual([["a"], [], ["b"]])
    }))
})
