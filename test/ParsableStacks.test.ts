// A test that fails must say so at once.

import { describe, expect, it } from "vitest"
import { parsable } from "./ParsableStacks.ts"

describe("the stack of a failed test", () => {
  it("has no quotes in its message, and no long line of it", () => {
    const json = JSON.stringify(Array.from({ length: 1000 }, () => "value"))
    const [message, frame] = parsable(`Error: ${json}\n    at next (file:///"a".ts:1:2)`).split("\n")
    expect(message).toMatch(/^Error: \['value','value'[^"]{1,490}$/)
    expect(frame).toBe(`    at next (file:///"a".ts:1:2)`)
  })
})
