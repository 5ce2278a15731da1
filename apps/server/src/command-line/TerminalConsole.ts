import { Effect } from "effect"

const ESCAPE = String.fromCharCode(27)
const STYLES = new RegExp(`${ESCAPE}\\[[0-9;]*m`, "g")

const tidy = (texts: ReadonlyArray<unknown>, styled: boolean): ReadonlyArray<unknown> =>
  texts.map((text) => {
    if (typeof text !== "string") return text
    const trimmed = text.replace(/\n+$/, "")
    return styled ? trimmed : trimmed.replace(STYLES, "")
  })

/** Output without empty lines at the end, and without colours where no terminal shows them or nobody wants them. */
export const withTidyOutput = <A, E, R>(effect: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> =>
  Effect.consoleWith((console) => {
    const colours = process.env["NO_COLOR"] === undefined || process.env["NO_COLOR"] === ""
    return Effect.withConsole(effect, {
      ...console,
      log: (...texts) => console.log(...tidy(texts, colours && process.stdout.isTTY)),
      error: (...texts) => console.error(...tidy(texts, colours && process.stderr.isTTY))
    })
  })
