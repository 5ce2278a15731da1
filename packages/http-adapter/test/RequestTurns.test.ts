import { RequestTurns, TURN_MILLIS } from "@community-messaging/http-adapter/server/RequestTurns"
import { describe, expect, it } from "vitest"

/** Turns that pass when the test says so, and the requests that began in each of them. Each takes so long. */
const eventLoop = (requestMillis: number) => {
  const next: Array<() => void> = []
  const began: Array<Array<string>> = [[]]
  let now = 0
  const turns = new RequestTurns({ nextTurn: (work) => next.push(work), now: () => now })
  return {
    began,
    request: (address: string, name: string) =>
      turns.begin(address, () => {
        began.at(-1)?.push(name)
        now += requestMillis
      }),
    passTurn: () => {
      began.push([])
      for (const work of next.splice(0)) work()
    }
  }
}

describe("Requests that arrive at once", () => {
  it("begin at once while the turn has time", () => {
    const { began, request } = eventLoop(TURN_MILLIS / 2)
    for (const name of ["a", "b", "c"]) request("1", name)
    expect(began).toEqual([["a", "b"]])
  })

  it("wait for the next turn, in which as many begin as it has time for", () => {
    const { began, passTurn, request } = eventLoop(TURN_MILLIS / 2)
    for (const name of ["a", "b", "c", "d", "e"]) request("1", name)
    passTurn()
    expect(began).toEqual([["a", "b"], ["c", "d"]])
  })

  it("wait for the next turns in their order, at least one for each", () => {
    const { began, passTurn, request } = eventLoop(TURN_MILLIS)
    for (const name of ["a", "b", "c"]) request("1", name)
    passTurn()
    request("1", "d")
    for (let turn = 0; turn < 3; turn += 1) passTurn()
    expect(began).toEqual([["a"], ["b"], ["c"], ["d"], []])
  })

  it("do not delay those of another address by more than a turn", () => {
    const { began, passTurn, request } = eventLoop(TURN_MILLIS)
    for (let index = 0; index < 1000; index += 1) request("1", "many")
    request("2", "other")
    passTurn()
    expect(began).toEqual([["many"], ["many", "other"]])
  })

  it("begin at once again in a turn after", () => {
    const { began, passTurn, request } = eventLoop(TURN_MILLIS)
    request("1", "a")
    passTurn()
    request("1", "b")
    expect(began).toEqual([["a"], ["b"]])
  })
})
