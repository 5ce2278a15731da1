import { Effect } from "effect"
import { stripVTControlCharacters } from "node:util"
import { SETTINGS } from "../configuration/Configuration.ts"
import { flagName } from "../configuration/Setting.ts"
import * as StandardStreams from "../transfer/StandardStreams.ts"
import * as Colours from "./Colours.ts"
import { table } from "./Table.ts"

/** The sentences that the parser adds to the description of every option. */
const GENERIC_SENTENCES = /\n\n {2}(A user-defined piece of text\.|A true or false value\.|This setting is optional\.)/g

/** The empty lines of help pages between an option and its description. */
const GAPS = /(\n(?:\S*--|\S*<)[^\n]*\n)\n(?= {2})/g

const USAGE = /^\$ (\S+)/m

const SETTING_FLAGS: ReadonlySet<string> = new Set(SETTINGS.map(({ about: { name } }) => flagName(name)))

/** Writes the flags of settings in a usage as one word: some commands have thirty. The page lists them. */
const withoutSettings = (usage: string): string => {
  const short = usage.replace(/ \[--([a-z-]+) text\]/g, (option, name: string) => SETTING_FLAGS.has(name) ? "" : option)
  return short === usage ? usage : `${short} [SETTING]...`
}

const COMMAND_LINE = /^ {2}- (.*?) {2,}(\S.*)$/gm

/** Shortens the usages on a page, and aligns its list of commands again. The empty lines between commands are removed. */
const shortenUsages = (page: string): string => {
  const commands = Array.from(
    page.matchAll(COMMAND_LINE),
    ([, usage = "", text = ""]) => [withoutSettings(usage), text]
  )
  const lines = table(commands.map((row) => ["", ...row])).split("\n")
  return page
    .replace(/^\$ .*$/m, withoutSettings)
    .replace(/(?:^ {2}- .*\n*)+/m, commands.length === 0 ? (list) => list : () => `${lines.join("\n")}\n`)
}

interface Look {
  readonly program: ReadonlyArray<string>
  readonly coloured: boolean
}

const format = (texts: ReadonlyArray<unknown>, { coloured, program }: Look): ReadonlyArray<unknown> =>
  texts.map((text) => {
    if (typeof text !== "string") return text
    const plain = coloured ? text : stripVTControlCharacters(text)
    const page = plain.includes("USAGE") ? shortenUsages(plain) : plain
    return page.replace(GENERIC_SENTENCES, "").replace(GAPS, "$1").replace(/\n+$/, "").replace(
      USAGE,
      (_, command: string) => `$ ${program.slice(0, program.lastIndexOf(command) + 1).join(" ")}`
    )
  })

/**
 * Formats the output of the effect: removes generic sentences and trailing empty lines from help pages, and removes
 * colours if the terminal does not show them or the user turns them off. Usage lines show the whole command:
 * `program` has the words of the command. Dies with an error of `StandardStreams` if the output cannot be written.
 */
export const withFormattedOutput = (program: ReadonlyArray<string>) => <A, E, R>(effect: Effect.Effect<A, E, R>) =>
  Effect.consoleWith((console) =>
    Effect.withConsole(effect, {
      ...console,
      log: (...texts) =>
        Effect.zipRight(
          console.log(...format(texts, { program, coloured: Colours.areWanted(process.stdout) })),
          Effect.orDie(StandardStreams.allWritten)
        ),
      error: (...texts) => console.error(...format(texts, { program, coloured: Colours.areWanted(process.stderr) }))
    })
  )
