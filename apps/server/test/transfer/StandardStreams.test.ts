import { describe, expect, it, vi } from "@effect/vitest"
import { Effect, Fiber } from "effect"
import * as TerminalConsole from "../../src/command-line/TerminalConsole.ts"

describe("the output of a command", () => {
  it.scoped("is printed as it is, also if it looks like a help page", () =>
    Effect.gen(function*() {
      const text = "USAGE\n\n  - I resign  as of today\n\n  A true or false value."
      const log = yield* Effect.acquireRelease(
        Effect.sync(() => vi.spyOn(console, "log").mockReturnValue()),
        (spy) => Effect.sync(() => spy.mockRestore())
      )
      yield* TerminalConsole.withTerminalOutput(Effect.consoleWith((output) => output.log(text)))
      expect(log.mock.calls).toEqual([[text]])
    }))

  it.scoped("waits for a slow reader, so that it does not fill the memory", () =>
    Effect.gen(function*() {
      const waiting: Array<() => void> = []
      yield* Effect.acquireRelease(
        Effect.sync(() => [
          vi.spyOn(console, "log").mockReturnValue(),
          vi.spyOn(process.stdout, "writableNeedDrain", "get").mockReturnValue(true),
          vi.spyOn(process.stdout, "write").mockImplementation((_, whenRead) => {
            if (typeof whenRead === "function") waiting.push(whenRead)
            return false
          })
        ]),
        (spies) => Effect.sync(() => spies.forEach((spy) => spy.mockRestore()))
      )
      const print = Effect.consoleWith((output) => output.log("{}"))
      const printing = yield* Effect.fork(TerminalConsole.withTerminalOutput(print))
      yield* Effect.yieldNow()
      expect(printing.unsafePoll()).toBe(null)
      expect(waiting).toHaveLength(1)
      waiting.forEach((read) => read())
      yield* Fiber.join(printing)
    }))
})
