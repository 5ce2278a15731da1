import { Clock, Context, Effect, Option, type Scope } from "effect"

/** The standard error, if it is a terminal on which a line can be replaced. */
export class ErrorTerminal extends Context.Reference<ErrorTerminal>()("@community-messaging/server/ErrorTerminal", {
  defaultValue: () => ({
    isTerminal: process.stderr.isTTY,
    // Some terminals do not report their width.
    columns: () => process.stderr.columns > 0 ? process.stderr.columns : 80,
    write: (text: string): void => {
      process.stderr.write(text)
    }
  })
}) {}

/**
 * Shows the progress of a stage on one line of a terminal: `Importing: 1,200 lines`. Replaces the line, but that of the same
 * stage not more often than a reader can see. Without a terminal, nothing is written.
 */
export type ProgressLine = (stage: string, progress: () => string) => Effect.Effect<void>

const INTERVAL_MILLIS = 100

const CLEAR = `\r${String.fromCharCode(27)}[K`

/** A number for people, such as 1,234,567. */
export const number = (value: number): string => new Intl.NumberFormat("en").format(Math.round(value))

/** A bar of that part of the whole, such as `[#####     ]  50%`. */
export const bar = (done: number, total: number): string => {
  const part = total <= 0 ? 1 : Math.min(1, done / total)
  const filled = Math.floor(part * 20)
  return `[${"#".repeat(filled)}${" ".repeat(20 - filled)}] ${String(Math.floor(part * 100)).padStart(3)}%`
}

/** Makes a line that is removed with the scope, and before other text is written to the standard error. */
export const make: Effect.Effect<ProgressLine, never, Scope.Scope> = Effect.gen(function*() {
  const terminal = yield* ErrorTerminal
  if (!terminal.isTerminal) return () => Effect.void
  let shownAt = 0
  let shown = Option.none<string>()
  const clear = Effect.sync(() => {
    if (Option.isSome(shown)) terminal.write(CLEAR)
    shown = Option.none()
  })
  const console = yield* Effect.console
  yield* Effect.withConsoleScoped({
    ...console,
    error: (...texts: ReadonlyArray<unknown>) => Effect.zipRight(clear, console.error(...texts))
  })
  yield* Effect.addFinalizer(() => clear)
  return (stage: string, progress: () => string) =>
    Effect.map(Clock.currentTimeMillis, (now) => {
      if (Option.contains(shown, stage) && now - shownAt < INTERVAL_MILLIS) return
      shownAt = now
      shown = Option.some(stage)
      terminal.write(`${CLEAR}${`${stage}: ${progress()}`.slice(0, terminal.columns() - 1)}`)
    })
})

/** Measures how many lines a command handles. Returns text such as `1,200 lines in 3.4 s, 350 lines/s`. */
export const stopwatch: Effect.Effect<(lines: number) => Effect.Effect<string>> = Effect.map(
  Clock.currentTimeMillis,
  (since) => (lines) =>
    Effect.map(Clock.currentTimeMillis, (now) => {
      const seconds = Math.max(now - since, 1) / 1000
      return `${number(lines)} ${lines === 1 ? "line" : "lines"} in ${seconds.toFixed(1)} s, ` +
        `${number(lines / seconds)} lines/s`
    })
)
