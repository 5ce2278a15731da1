import { BACKLOG_MILLIS, FairTurns, TURN_MILLIS } from "@community-messaging/event-loop/FairTurns"
import { afterEach, describe, expect, it, vi } from "vitest"

afterEach(() => {
  vi.restoreAllMocks()
  vi.unstubAllGlobals()
})

/** Turns that the test lets pass, and the tasks that began in each of them. Each takes `taskMillis`. */
const eventLoop = (taskMillis: number) => {
  const next: Array<() => void> = []
  const steps: Array<() => void> = []
  const began: Array<Array<string>> = [[]]
  let now = 0
  vi.stubGlobal("setImmediate", (work: () => void) => next.push(work))
  vi.spyOn(process, "nextTick").mockImplementation((_microtask, work: () => void) => void steps.push(work))
  vi.spyOn(performance, "now").mockImplementation(() => now)
  const turns = new FairTurns()
  /** Runs the steps of this turn. */
  const passSteps = () => {
    for (let step = steps.shift(); step !== undefined; step = steps.shift()) step()
  }
  return {
    began,
    /** Whether no work is left for this turn or the next one. */
    isIdle: () => next.length === 0 && steps.length === 0,
    begin: (owner: string, name: string) =>
      turns.begin(owner, () => {
        began.at(-1)?.push(name)
        now += taskMillis
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

describe("Tasks that arrive at once", () => {
  it("begin at once while the turn has time", () => {
    const { began, begin } = eventLoop(TURN_MILLIS / 2)
    for (const name of ["a", "b", "c"]) begin("1", name)
    expect(began).toEqual([["a", "b"]])
  })

  it("wait for the next turn, which has less time, and begin there while it lasts", () => {
    const { began, passTurn, begin } = eventLoop(BACKLOG_MILLIS / 2)
    for (let index = 0; index < 100; index += 1) begin("1", "a")
    passTurn()
    expect(began.map(({ length }) => length)).toEqual([TURN_MILLIS / (BACKLOG_MILLIS / 2), 2])
  })

  it("wait for the next turns in their order, at least one for each", () => {
    const { began, passTurn, begin } = eventLoop(TURN_MILLIS)
    for (const name of ["a", "b", "c"]) begin("1", name)
    passTurn()
    begin("1", "d")
    for (let turn = 0; turn < 3; turn += 1) passTurn()
    expect(began).toEqual([["a"], ["b"], ["c"], ["d"], []])
  })

  it("do not delay those of another owner by more than a turn", () => {
    const { began, passTurn, begin } = eventLoop(TURN_MILLIS)
    for (let index = 0; index < 1000; index += 1) begin("1", "many")
    begin("2", "other")
    passTurn()
    expect(began).toEqual([["many"], ["many", "other"]])
  })

  it("are done before those of the next round begin: what they defer runs at the end of a step", () => {
    const { began, beginTurn, begin } = eventLoop(BACKLOG_MILLIS / 4)
    for (let index = 0; index < 100; index += 1) begin("1", "many")
    begin("2", "other")
    beginTurn()
    expect(began.at(-1)).toEqual(["many", "other"])
  })

  it("use turns of the event loop only while some wait", () => {
    const { began, beginTurn, isIdle, begin } = eventLoop(1)
    for (let index = 0; index <= TURN_MILLIS; index += 1) begin("1", "a")
    beginTurn()
    beginTurn()
    expect([began.map(({ length }) => length), isIdle()]).toEqual([[TURN_MILLIS, 1, 0], true])
  })

  it("begin at once again in a later turn", () => {
    const { began, passTurn, begin } = eventLoop(TURN_MILLIS)
    begin("1", "a")
    passTurn()
    begin("1", "b")
    expect(began).toEqual([["a"], ["b"]])
  })
})
