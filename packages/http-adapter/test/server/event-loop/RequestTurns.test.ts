import {
  BACKLOG_MILLIS,
  RequestTurns,
  TURN_MILLIS
} from "@community-messaging/http-adapter/server/event-loop/RequestTurns"
import { describe, expect, it } from "vitest"

/** Turns that the test lets pass, and the requests that began in each of them. Each takes `requestMillis`. */
const eventLoop = (requestMillis: number) => {
  const next: Array<() => void> = []
  const steps: Array<() => void> = []
  const began: Array<Array<string>> = [[]]
  let now = 0
  const turns = new RequestTurns({
    nextTurn: (work) => next.push(work),
    nextStep: (work) => steps.push(work),
    now: () => now
  })
  /** Runs the steps of this turn. */
  const passSteps = () => {
    for (let step = steps.shift(); step !== undefined; step = steps.shift()) step()
  }
  return {
    began,
    /** Whether no work is left for this turn or the next one. */
    isIdle: () => next.length === 0 && steps.length === 0,
    request: (address: string, name: string) =>
      turns.begin(address, () => {
        began.at(-1)?.push(name)
        now += requestMillis
      }),
    beginTurn: () => {
      began.push([])
      for (const work of next.splice(0)) work()
    },
    passTurn: () => {
      began.push([])
      for (const work of next.splice(0)) work()
      passSteps()
    }
  }
}

describe("Requests that arrive at once", () => {
  it("begin at once while the turn has time", () => {
    const { began, request } = eventLoop(TURN_MILLIS / 2)
    for (const name of ["a", "b", "c"]) request("1", name)
    expect(began).toEqual([["a", "b"]])
  })

  it("wait for the next turn, which has less time, and begin there while it lasts", () => {
    const { began, passTurn, request } = eventLoop(BACKLOG_MILLIS / 2)
    for (let index = 0; index < 100; index += 1) request("1", "a")
    passTurn()
    expect(began.map(({ length }) => length)).toEqual([TURN_MILLIS / (BACKLOG_MILLIS / 2), 2])
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

  it("are answered before those of the next round begin: replies are sent at the end of a step", () => {
    const { began, beginTurn, request } = eventLoop(BACKLOG_MILLIS / 4)
    for (let index = 0; index < 100; index += 1) request("1", "many")
    request("2", "other")
    beginTurn()
    expect(began.at(-1)).toEqual(["many", "other"])
  })

  it("request turns of the event loop only while some wait", () => {
    const { began, beginTurn, isIdle, request } = eventLoop(1)
    for (let index = 0; index <= TURN_MILLIS; index += 1) request("1", "a")
    beginTurn()
    beginTurn()
    expect([began.map(({ length }) => length), isIdle()]).toEqual([[TURN_MILLIS, 1, 0], true])
  })

  it("begin at once again in a later turn", () => {
    const { began, passTurn, request } = eventLoop(TURN_MILLIS)
    request("1", "a")
    passTurn()
    request("1", "b")
    expect(began).toEqual([["a"], ["b"]])
  })
})
