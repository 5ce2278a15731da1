import {
  BodyTurns,
  BYTES_PER_TURN,
  MILLIS_PER_TURN
} from "@community-messaging/http-adapter/server/event-loop/BodyTurns"
import { describe, expect, it } from "vitest"

/** Turns that the test lets pass, and the pieces that were read in each of them. */
const counted = (pieceMillis = 0) => {
  const next: Array<() => void> = []
  let now = 1000
  const turns = new BodyTurns((work) => next.push(work), () => now)
  const read: Array<Array<string>> = [[]]
  return {
    read,
    add: (name: string, bytes: number) =>
      turns.run(bytes, () => {
        read.at(-1)?.push(name)
        now += pieceMillis
      }),
    passTurns: () => {
      for (let work = next.shift(); work !== undefined; work = next.shift()) {
        read.push([])
        work()
      }
    }
  }
}

describe("Large bodies", () => {
  it("are read at once if the turn has room", () => {
    const { add, read } = counted()
    expect(add("a", BYTES_PER_TURN / 2)).toBe(true)
    expect(add("b", BYTES_PER_TURN / 2)).toBe(true)
    expect(add("c", 1)).toBe(false)
    expect(read).toEqual([["a", "b"]])
  })

  it("wait in their order for any number of later turns", () => {
    const { add, passTurns, read } = counted()
    const names = Array.from({ length: 100 }, (_, index) => String(index))
    for (const name of names) add(name, BYTES_PER_TURN)
    passTurns()
    expect(read.flat()).toEqual(names)
    expect(Math.max(...read.map(({ length }) => length))).toBe(1)
  })

  it("wait for the next turn if reading took the time of this one", () => {
    const { add, passTurns, read } = counted(MILLIS_PER_TURN / 2)
    for (const name of ["a", "b", "c"]) add(name, 1)
    passTurns()
    expect(read).toEqual([["a", "b"], ["c"], []])
  })

  it("have room again after a turn", () => {
    const { add, passTurns } = counted()
    add("a", BYTES_PER_TURN)
    passTurns()
    expect(add("b", BYTES_PER_TURN)).toBe(true)
  })
})
