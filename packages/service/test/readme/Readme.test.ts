import { describe, expect, it, vi } from "vitest"

describe("the readme of the package", () => {
  it("shows a program that runs", async () => {
    const log = vi.spyOn(console, "log").mockImplementation(() => {})
    await import("./Program.ts")
    expect(log.mock.calls).toEqual([
      ["[riverside/kiln] New star added"],
      ["email"],
      [{ claimed: 0, done: 0, failed: 0 }],
      ["member.joined"],
      ["webhook.updated"],
      ["message.created"]
    ])
  })
})
