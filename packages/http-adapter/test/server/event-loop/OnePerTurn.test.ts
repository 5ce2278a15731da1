import { OnePerTurn } from "@community-messaging/http-adapter/server/event-loop/OnePerTurn"
import { describe, expect, it } from "vitest"

/** Turns that the test lets pass, and the work of each. */
const turns = () => {
  const next: Array<() => void> = []
  const done: Array<Array<string>> = []
  const onePerTurn = new OnePerTurn((work) => next.push(work))
  return {
    done,
    isIdle: () => next.length === 0,
    add: (name: string) => onePerTurn.add(() => done.at(-1)?.push(name)),
    passTurn: () => {
      done.push([])
      for (const work of next.splice(0)) work()
    }
  }
}

describe("Work that is done one by one", () => {
  it("gets a turn of the event loop for each piece, in their order", () => {
    const { add, done, passTurn } = turns()
    for (const name of ["a", "b", "c"]) add(name)
    expect(done).toEqual([])
    passTurn()
    add("d")
    for (let turn = 0; turn < 4; turn += 1) passTurn()
    expect(done).toEqual([["a"], ["b"], ["c"], ["d"], []])
  })

  it("requests no turn when no work remains", () => {
    const { add, isIdle, passTurn } = turns()
    add("a")
    passTurn()
    expect(isIdle()).toBe(true)
  })

  it("continues after a pause", () => {
    const { add, done, passTurn } = turns()
    add("a")
    passTurn()
    passTurn()
    add("b")
    passTurn()
    expect(done).toEqual([["a"], [], ["b"]])
  })
})
