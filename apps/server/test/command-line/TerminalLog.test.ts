import { describe, expect, it } from "@effect/vitest"
import { Cause, Effect, Logger } from "effect"
import * as TerminalLog from "../../src/command-line/TerminalLog.ts"

/** The entries that are logged, without their times. */
const written = (log: Effect.Effect<void>, colours = false) =>
  Effect.suspend(() => {
    const entries: Array<string> = []
    const logger = Logger.map(TerminalLog.logger({ colours }), (entry) => {
      entries.push(entry.replace(/^\[\d\d:\d\d:\d\d\.\d{3}\] /, ""))
    })
    return Effect.as(Effect.provide(log, Logger.replace(Logger.defaultLogger, logger)), entries)
  })

describe("the log on a terminal", () => {
  it.effect("has one line for an entry, with the most important values first", () =>
    Effect.gen(function*() {
      const log = Effect.annotateLogs(Effect.logInfo("Request"), {
        user_id: "1",
        error_code: "NOT_FOUND",
        status: 404,
        method: "GET"
      })
      expect(yield* written(log)).toEqual(["INFO  Request method=GET status=404 error_code=NOT_FOUND user_id=1"])
    }))

  it.effect("has one line for every message, and quotes values with spaces", () =>
    Effect.gen(function*() {
      const log = Effect.annotateLogs(Effect.logWarning("two\nlines", { a: 1 }), { reason: "too many", empty: "" })
      expect(yield* written(log)).toEqual([
        expect.stringMatching(/^WARN {2}two lines \{.*\} empty="" reason="too many"$/)
      ])
    }))

  it.effect("shows the stack of an error below its line", () =>
    Effect.gen(function*() {
      const log = Effect.annotateLogs(Effect.logError("Unexpected failure"), { cause: "TypeError\n    at x.ts:1" })
      expect(yield* written(log)).toEqual(["ERROR Unexpected failure\n  cause: TypeError\n      at x.ts:1"])
      const [entry] = yield* written(Effect.logError("Failed", Cause.fail(new Error("no"))))
      expect(entry).toMatch(/^ERROR Failed\n {2}Error: no\n {6}at /)
    }))

  it.effect("has colours only if they are on", () =>
    Effect.gen(function*() {
      expect(yield* written(Effect.logError("x"), true)).toEqual(["\u001B[31mERROR\u001B[0m x"])
    }))
})
