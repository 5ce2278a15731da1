import { describe, expect, it } from "@effect/vitest"
import { FastCheck } from "effect"
import { ServerSentEvents } from "../src/ServerSentEvents.ts"

const newParser = () => new ServerSentEvents(1000, () => new Error("too long"))

const parse = (...pieces: ReadonlyArray<string>) => {
  const parser = newParser()
  return pieces.flatMap((piece) => parser.push(piece))
}

describe("A stream of server-sent events", () => {
  it("is the same in any pieces", () => {
    const text =
      ":\n\nid: 1\r\nevent: a\r\ndata: {\"a\":1}\r\n\r\nid:2\rdata:x\rdata: y\r\r: comment\ndata\n\nid: 3\ndata: end\n\n"
    const events = [
      { id: "1", data: "{\"a\":1}" },
      { id: "2", data: "x\ny" },
      { id: "2", data: "" },
      { id: "3", data: "end" }
    ]
    expect(parse(text)).toEqual(events)
    FastCheck.assert(FastCheck.property(FastCheck.array(FastCheck.nat(text.length)), (cuts) => {
      const ends = [...cuts.sort((a, b) => a - b), text.length]
      expect(parse(...ends.map((end, index) => text.slice(ends[index - 1] ?? 0, end)))).toEqual(events)
    }))
  })

  it("has no event before its empty line", () => {
    expect(parse("id: 1\ndata: a\n")).toEqual([])
  })

  it("has the id of a block without data, after which it resumes", () => {
    const parser = newParser()
    expect(parser.push("id: 7\n\n")).toEqual([])
    expect(parser.lastId).toBe("7")
    expect(parser.push("id: x\0\n\n")).toEqual([])
    expect(parser.lastId).toBe("7")
  })

  it.each([["in one line", [`data: ${"a".repeat(1001)}`]], [
    "in many lines",
    Array.from({ length: 501 }, () => "data: ab\n")
  ], [
    "in many empty lines",
    Array.from({ length: 1001 }, () => "data\n")
  ]])(
    "refuses an event that is too long %s",
    (_, pieces) => {
      expect(() => parse(...pieces)).toThrow("too long")
    }
  )

  it("reads any number of events of the longest length", () => {
    expect(parse(`data: ${"a".repeat(990)}\n\n`.repeat(5))).toHaveLength(5)
  })
})
