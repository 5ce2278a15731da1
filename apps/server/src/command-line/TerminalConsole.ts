import { Effect } from "effect"

const ESCAPE = String.fromCharCode(27)
const STYLES = new RegExp(`${ESCAPE}\\[[0-9;]*m`, "g")

/** The sentences that the parser adds to the description of every option. */
const GENERIC_SENTENCES = /\n\n {2}(A user-defined piece of text\.|A true or false value\.|This setting is optional\.)/g

/** The empty lines of help pages between an option and its description. */
const GAPS = /(\n(?:\S*--|\S*<)[^\n]*\n)\n(?= {2})/g

const USAGE = /^\$ (\S+)/m

interface Look {
  readonly program: ReadonlyArray<string>
  readonly coloured: boolean
}

const format = (texts: ReadonlyArray<unknown>, { coloured, program }: Look): ReadonlyArray<unknown> =>
  texts.map((text) => {
    if (typeof text !== "string") return text
    const shortened = text.replace(GENERIC_SENTENCES, "").replace(GAPS, "$1").replace(/\n+$/, "").replace(
      USAGE,
      (_, command: string) => `$ ${program.slice(0, program.lastIndexOf(command) + 1).join(" ")}`
    )
    return coloured ? shortened : shortened.replace(STYLES, "")
  })

/**
 * Formats the output of the effect: removes generic sentences and trailing empty lines from help pages, and removes
 * colours if the terminal does not show them or the user does not want them. Usage lines show the whole command:
 * `program` has the words of the command.
 */
export const withFormattedOutput = (program: ReadonlyArray<string>) => <A, E, R>(effect: Effect.Effect<A, E, R>) =>
  Effect.consoleWith((console) => {
    const colours = (process.env["NO_COLOR"] ?? "") === ""
    return Effect.withConsole(effect, {
      ...console,
      log: (...texts) => console.log(...format(texts, { program, coloured: colours && process.stdout.isTTY })),
      error: (...texts) => console.error(...format(texts, { program, coloured: colours && process.stderr.isTTY }))
    })
  })
