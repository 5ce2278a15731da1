import { BYTES_PER_TURN, ByteTurns, MILLIS_PER_TURN } from "@community-messaging/event-loop/ByteTurns"
import { nextTurn } from "@community-messaging/event-loop/NextTurn"
import { afterEach, describe, expect, it, vi } from "@effect/vitest"
import { Effect } from "effect"

afterEach(() => {
  vi.restoreAllMocks()
})

/** The pieces that were read in each turn of the event loop. Each takes this time. */
const recorded = (pieceMillis = 0) => {
  let now = 1000
  vi.spyOn(performance, "now").mockImplementation(() => now)
  const turns = new ByteTurns()
  const read: Array<Array<string>> = [[]]
  return {
    read,
    add: (name: string, bytes: number) =>
      turns.run(bytes, () => {
        read.at(-1)?.push(name)
        now += pieceMillis
      }),
    passTurn: Effect.suspend(() => {
      read.push([])
      return nextTurn
    })
  }
}

describe("Pieces of streams", () => {
  it("are read at once if the turn has room", () => {
    const { add, read } = recorded()
    expect(add("a", BYTES_PER_TURN / 2)).toBe(true)
    expect(add("b", BYTES_PER_TURN / 2)).toBe(true)
    expect(add("c", 1)).toBe(false)
    expect(read).toEqual([["a", "b"]])
  })

  it.effect("wait in their order for any number of later turns", () =>
    Effect.gen(function*() {
      const { add, passTurn, read } = recorded()
      const names = Array.from({ length: 100 }, (_, index) => String(index))
      for (const name of names) add(name, BYTES_PER_TURN)
      yield* Effect.replicateEffect(passTurn, names.length)
      expect(read.flat()).toEqual(names)
      expect(Math.max(...read.map(({ length }) => length))).toBe(1)
    }))

  it.effect("wait for the next turn if reading took the time of this one", () =>
    Effect.gen(function*() {
      const { add, passTurn, read } = recorded(MILLIS_PER_TURN / 2)
      for (const name of ["a", "b", "c"]) add(name, 1)
      yield* passTurn
      expect(read).toEqual([["a", "b"], ["c"]])
    }))

  it.effect("have room again after a turn", () =>
    Effect.gen(function*() {
      const { add, passTurn } = recorded()
      add("a", BYTES_PER_TURN)
      yield* passTurn
      expect(add("b", BYTES_PER_TURN)).toBe(true)
    }))
})
