import { Effect } from "effect"

const ESCAPE = String.fromCharCode(27)
const STYLES = new RegExp(`${ESCAPE}\\[[0-9;]*m`, "g")

/** What the parser of arguments says of every option, whatever it is. */
const COMMONPLACES = /\n\n {2}(A user-defined piece of text\.|A true or false value\.|This setting is optional\.)/g

/** Between an option and what is said of it, help pages leave a line empty. */
const GAPS = /(\n(?:\S*--|\S*<)[^\n]*\n)\n(?= {2})/g

const USAGE = /^\$ (\S+)/m

interface Look {
  readonly program: ReadonlyArray<string>
  readonly coloured: boolean
}

const tidy = (texts: ReadonlyArray<unknown>, { coloured, program }: Look): ReadonlyArray<unknown> =>
  texts.map((text) => {
    if (typeof text !== "string") return text
    const shortened = text.replace(COMMONPLACES, "").replace(GAPS, "$1").replace(/\n+$/, "").replace(
      USAGE,
      (_, command: string) => `$ ${program.slice(0, program.lastIndexOf(command) + 1).join(" ")}`
    )
    return coloured ? shortened : shortened.replace(STYLES, "")
  })

/**
 * Output without the commonplaces of help pages and without empty lines at the end, and without colours where no terminal
 * shows them or nobody wants them. Usage lines show the whole command: `program` is what was typed, word by word.
 */
export const withTidyOutput = (program: ReadonlyArray<string>) => <A, E, R>(effect: Effect.Effect<A, E, R>) =>
  Effect.consoleWith((console) => {
    const colours = (process.env["NO_COLOR"] ?? "") === ""
    return Effect.withConsole(effect, {
      ...console,
      log: (...texts) => console.log(...tidy(texts, { program, coloured: colours && process.stdout.isTTY })),
      error: (...texts) => console.error(...tidy(texts, { program, coloured: colours && process.stderr.isTTY }))
    })
  })
