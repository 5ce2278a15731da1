import { describe, expect, it } from "@effect/vitest"
import { Console, Effect, TestClock } from "effect"
import * as ProgressLine from "../../src/command-line/ProgressLine.ts"

const ESCAPE = String.fromCharCode(27)
const CLEAR = `\r${ESCAPE}[K`

/** Runs the effect with a standard error that is a terminal or not, and returns its output there. */
const written = (isTerminal: boolean, use: (line: ProgressLine.ProgressLine) => Effect.Effect<void>) =>
  Effect.suspend(() => {
    let text = ""
    const terminal = {
      isTerminal,
      columns: () => 12,
      write: (more: string) => {
        text += more
      }
    }
    return Effect.consoleWith((console) =>
      Effect.flatMap(ProgressLine.make, use).pipe(
        Effect.scoped,
        Effect.withConsole({ ...console, error: (line) => Effect.sync(() => terminal.write(`${String(line)}\n`)) })
      )
    ).pipe(
      Effect.provideService(ProgressLine.ErrorTerminal, terminal),
      Effect.map(() => text)
    )
  })

describe("a progress line", () => {
  it.effect("replaces itself, but not more often than people can see, and is removed at the end", () =>
    Effect.gen(function*() {
      const text = yield* written(
        true,
        (show) =>
          Effect.all([
            show("A", () => "one"),
            show("A", () => "soon"),
            TestClock.adjust("1 second"),
            show("A", () => "two"),
            show("B", () => "one")
          ], { discard: true })
      )
      expect(text).toBe(`${CLEAR}A: one${CLEAR}A: two${CLEAR}B: one${CLEAR}`)
    }))

  it.effect("is removed before other text, and written again after it", () =>
    Effect.gen(function*() {
      const text = yield* written(true, (show) =>
        Effect.all(
          [show("A", () => "one"), Console.error("x"), Console.error("y"), show("A", () => "two")],
          { discard: true }
        ))
      expect(text).toBe(`${CLEAR}A: one${CLEAR}x\ny\n${CLEAR}A: two${CLEAR}`)
    }))

  it.effect("fits into the terminal, and is not written without one", () =>
    Effect.gen(function*() {
      const use = (show: ProgressLine.ProgressLine) => show("Copying", () => "a text that is too long")
      expect(yield* written(true, use)).toMatch(/Copying: a (?!t)/)
      expect(yield* written(false, use)).toBe("")
    }))

  it("has a bar", () => {
    expect([ProgressLine.bar(0, 10), ProgressLine.bar(5, 10), ProgressLine.bar(11, 10), ProgressLine.bar(0, 0)])
      .toEqual([
        `[${" ".repeat(20)}]   0%`,
        `[${"#".repeat(10)}${" ".repeat(10)}]  50%`,
        `[${"#".repeat(20)}] 100%`,
        `[${"#".repeat(20)}] 100%`
      ])
  })
})
