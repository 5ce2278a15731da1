import {
  ACCEPT_MILLIS,
  COMPANY_MILLIS,
  RequestTurns,
  TURN_MILLIS,
  WAITING_TURN_MILLIS
} from "@community-messaging/http-adapter/server/RequestTurns"
import { describe, expect, it } from "vitest"

/**
 * Turns that pass when the test says so, and the requests that began in each of them. Each takes so long at once, and so long
 * in promises that follow.
 */
const eventLoop = (requestMillis: number, promisesMillis = 0, isAlone = false) => {
  const next: Array<() => void> = []
  const afterPromises: Array<() => void> = []
  const began: Array<Array<string>> = [[]]
  let now = 0
  let promised = 0
  const turns = new RequestTurns({
    nextTurn: (work) => next.push(work),
    afterPromises: (work) => afterPromises.push(work),
    now: () => now
  })
  if (!isAlone) { for (const address of ["1", "other"]) turns.begin(address, () => {}) }
  for (const work of next.splice(0)) work()
  const passTurn = () => {
    began.push([])
    for (const work of next.splice(0)) {
      work()
      while (afterPromises.length > 0) {
        now += promised
        promised = 0
        afterPromises.shift()?.()
      }
    }
  }
  return {
    began,
    passTurn,
    wait: (millis: number) => {
      now += millis
    },
    /** Passes a turn in which a connection is accepted. */
    accept: () => {
      turns.accept()
      passTurn()
      now += 1
    },
    request: (address: string, name: string, millis = requestMillis) =>
      turns.begin(address, () => {
        began.at(-1)?.push(name)
        now += millis
        promised += promisesMillis
      })
  }
}

describe("Requests that arrive at once", () => {
  it("begin at once while the turn has time", () => {
    const { began, request } = eventLoop(TURN_MILLIS / 2)
    for (const name of ["a", "b", "c"]) request("1", name)
    expect(began).toEqual([["a", "b"]])
  })

  it("wait until the sockets were polled again, for a turn in which as many begin as it has time for", () => {
    const { began, passTurn, request } = eventLoop(WAITING_TURN_MILLIS / 2)
    for (const name of ["a", "b", "c", "d", "e", "f", "g"]) request("1", name)
    for (let turn = 0; turn < 3; turn += 1) passTurn()
    expect(began).toEqual([["a", "b", "c", "d"], [], ["e", "f"], ["g"]])
  })

  it("begin in the next turn, in which they have twice the time, if nobody else is there", () => {
    const alone = eventLoop(WAITING_TURN_MILLIS / 2, 0, true)
    for (const name of ["a", "b", "c", "d", "e", "f", "g", "h", "i"]) alone.request("1", name)
    for (let turn = 0; turn < 2; turn += 1) alone.passTurn()
    expect(alone.began).toEqual([["a", "b", "c", "d"], ["e", "f", "g", "h"], ["i"]])

    const left = eventLoop(TURN_MILLIS)
    left.wait(COMPANY_MILLIS)
    // The other one was the last to come.
    left.request("other", "x")
    left.wait(COMPANY_MILLIS)
    left.passTurn()
    for (const name of ["a", "b"]) left.request("other", name)
    left.passTurn()
    expect(left.began).toEqual([["x"], ["a"], ["b"]])
  })

  it("take time of the turn with the promises that follow, too", () => {
    const { began, passTurn, request } = eventLoop(WAITING_TURN_MILLIS / 2, WAITING_TURN_MILLIS / 2)
    for (const name of ["a", "b", "c", "d", "e", "f", "g"]) request("1", name)
    for (let turn = 0; turn < 4; turn += 1) passTurn()
    expect(began).toEqual([["a", "b", "c", "d"], [], ["e"], ["f"], ["g"]])
  })

  it("wait for as long as connections are accepted, and not for ever", () => {
    const { accept, began, passTurn, request } = eventLoop(TURN_MILLIS)
    for (const name of ["a", "b", "c"]) request("1", name)
    passTurn()
    accept()
    expect(began).toEqual([["a"], [], []])
    passTurn()
    expect(began.at(-1)).toEqual(["b"])
    for (let turn = 0; turn < ACCEPT_MILLIS; turn += 1) accept()
    expect(began.slice(4).flat()).toEqual([])
    accept()
    expect(began.at(-1)).toEqual(["c"])
  })

  it("wait for the next turns in their order, at least one for each", () => {
    const { began, passTurn, request } = eventLoop(TURN_MILLIS)
    for (const name of ["a", "b", "c"]) request("1", name)
    passTurn()
    passTurn()
    request("1", "d")
    for (let turn = 0; turn < 3; turn += 1) passTurn()
    expect(began).toEqual([["a"], [], ["b"], ["c"], ["d"], []])
  })

  it("do not delay those of another address by more than two turns", () => {
    const { began, passTurn, request } = eventLoop(TURN_MILLIS)
    for (let index = 0; index < 1000; index += 1) request("1", "many")
    request("2", "other")
    passTurn()
    passTurn()
    expect(began).toEqual([["many"], [], ["other"]])
  })

  it("begin before those of an address whose requests take long, until it has occupied as much time", () => {
    const { began, passTurn, request } = eventLoop(TURN_MILLIS)
    request("1", "long", 2 * TURN_MILLIS)
    for (let index = 0; index < 3; index += 1) request("1", "long", 2 * TURN_MILLIS)
    for (let index = 0; index < 6; index += 1) request("2", "short", WAITING_TURN_MILLIS)
    for (let turn = 0; turn < 8; turn += 1) passTurn()
    expect(began.flat()).toEqual(["long", "long", "short", "short", "short", "short", "long", "short"])
  })

  it("begin at once again in a turn after", () => {
    const { began, passTurn, request } = eventLoop(TURN_MILLIS)
    request("1", "a")
    passTurn()
    request("1", "b")
    expect(began).toEqual([["a"], ["b"]])
  })
})
