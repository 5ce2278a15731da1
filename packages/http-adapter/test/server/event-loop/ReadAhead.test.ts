import { ReadAhead, REQUESTS_PER_TURN } from "@community-messaging/http-adapter/server/event-loop/ReadAhead"
import { describe, expect, it } from "vitest"

/** Two connections, and turns that the test lets pass. */
const twoConnections = () => {
  const next: Array<() => void> = []
  const held = new Set<string>()
  const connections = ["a", "b"].map((name) => ({ hold: () => held.add(name), release: () => held.delete(name) }))
  const readAhead = new ReadAhead(connections, (work) => next.push(work))
  return {
    held,
    read: (requests: number) => {
      for (let index = 0; index < requests; index += 1) readAhead.count()
    },
    passTurn: () => {
      for (const work of next.splice(0)) work()
    }
  }
}

describe("Requests behind others", () => {
  it("are read while they are few", () => {
    const { held, passTurn, read } = twoConnections()
    read(REQUESTS_PER_TURN - 1)
    passTurn()
    read(REQUESTS_PER_TURN - 1)
    expect(held.size).toBe(0)
  })

  it("are read while they are few in a turn, in any number of turns", () => {
    const { held, passTurn, read } = twoConnections()
    for (let turn = 0; turn < 2 * REQUESTS_PER_TURN; turn += 1) {
      read(1)
      passTurn()
    }
    expect(held.size).toBe(0)
  })

  it("hold the reading of all connections until the next turn when they are many", () => {
    const { held, passTurn, read } = twoConnections()
    read(3 * REQUESTS_PER_TURN)
    expect([...held]).toEqual(["a", "b"])
    passTurn()
    expect(held.size).toBe(0)
  })
})
