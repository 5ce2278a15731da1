import { nextTurn } from "@community-messaging/event-loop/NextTurn"
import { ReadAhead, REQUESTS_PER_TURN } from "@community-messaging/http-adapter/server/connections/ReadAhead"
import { describe, expect, it } from "@effect/vitest"
import { Effect } from "effect"

const twoConnections = () => {
  const held = new Set<string>()
  const connections = ["a", "b"].map((name) => ({ hold: () => held.add(name), release: () => held.delete(name) }))
  const readAhead = new ReadAhead(connections)
  return {
    held,
    read: (requests: number) => {
      for (let index = 0; index < requests; index += 1) readAhead.count()
    }
  }
}

describe("Requests behind others", () => {
  it.effect("are read while they are few", () =>
    Effect.gen(function*() {
      const { held, read } = twoConnections()
      read(REQUESTS_PER_TURN - 1)
      yield* nextTurn
      read(REQUESTS_PER_TURN - 1)
      expect(held.size).toBe(0)
    }))

  it.effect("are read while they are few in a turn, in any number of turns", () =>
    Effect.gen(function*() {
      const { held, read } = twoConnections()
      for (let turn = 0; turn < 2 * REQUESTS_PER_TURN; turn += 1) {
        read(1)
        yield* nextTurn
      }
      expect(held.size).toBe(0)
    }))

  it.effect("hold the reading of all connections until the next turn when they are many", () =>
    Effect.gen(function*() {
      const { held, read } = twoConnections()
      read(3 * REQUESTS_PER_TURN)
      expect([...held]).toEqual(["a", "b"])
      yield* nextTurn
      expect(held.size).toBe(0)
    }))
})
