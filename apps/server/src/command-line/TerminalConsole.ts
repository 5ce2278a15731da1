import { type Console, Effect } from "effect"
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

/** Removes generic sentences and trailing empty lines from a page. Its usage shows the whole command, whose words are `program`. */
const formatPage = (page: string, program: ReadonlyArray<string>): string =>
  (page.includes("USAGE") ? shortenUsages(page) : page)
    .replace(GENERIC_SENTENCES, "")
    .replace(GAPS, "$1")
    .replace(/\n+$/, "")
    .replace(USAGE, (_, command: string) => `$ ${program.slice(0, program.lastIndexOf(command) + 1).join(" ")}`)

const eachText = (texts: ReadonlyArray<unknown>, change: (text: string) => string): ReadonlyArray<unknown> =>
  texts.map((text) => typeof text === "string" ? change(text) : text)

const plainUnless = (areColoursWanted: boolean) => (texts: ReadonlyArray<unknown>): ReadonlyArray<unknown> =>
  areColoursWanted ? texts : eachText(texts, stripVTControlCharacters)

/** The console for the parser: formats its help pages, and leaves out its errors, which the caller prints in one line. */
export const ofParser = (console: Console.Console, program: ReadonlyArray<string>): Console.Console => ({
  ...console,
  log: (...texts) =>
    console.log(
      ...eachText(plainUnless(Colours.areWanted(process.stdout))(texts), (text) => formatPage(text, program))
    ),
  error: () => Effect.void
})

/**
 * Removes colours from the output of the effect if the terminal does not show them or the user turns them off. Dies with an
 * error of `StandardStreams` if the output cannot be written.
 */
export const withTerminalOutput = <A, E, R>(effect: Effect.Effect<A, E, R>) =>
  Effect.consoleWith((console) =>
    Effect.withConsole(effect, {
      ...console,
      log: (...texts) =>
        Effect.zipRight(
          console.log(...plainUnless(Colours.areWanted(process.stdout))(texts)),
          Effect.orDie(StandardStreams.allWritten)
        ),
      error: (...texts) => console.error(...plainUnless(Colours.areWanted(process.stderr))(texts))
    })
  )
