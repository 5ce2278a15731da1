import type { Flags } from "../configuration/Setting.ts"

/** What was typed, in an order that the parser of arguments understands. */
export interface Arguments {
  /** For the parser, without Node's two in front. */
  readonly words: ReadonlyArray<string>
  /** The words that may name a command: those before the first option. */
  readonly command: ReadonlyArray<string>
  /** The settings that belong to no command but to the command line as a whole. */
  readonly flags: Flags
}

const LOG_LEVEL = "--log-level"

const HELP: ReadonlySet<string> = new Set(["--help", "-h"])

/** The words without `--log-level LEVEL`, and the last level given. A flag without a level stays where it is. */
const takeLogLevel = (typed: ReadonlyArray<string>) => {
  const words: Array<string> = []
  const flags = new Map<string, string>()
  for (let index = 0; index < typed.length; index += 1) {
    const word = typed[index] ?? ""
    const next = typed[index + 1]
    if (word.startsWith(`${LOG_LEVEL}=`)) flags.set("LOG_LEVEL", word.slice(LOG_LEVEL.length + 1))
    else if (word === LOG_LEVEL && next !== undefined) {
      flags.set("LOG_LEVEL", next)
      index += 1
    } else words.push(word)
  }
  return { words, flags }
}

/**
 * Arranges what was typed for the parser, which knows `--help` and `--version` only right behind a command's name, and takes
 * them for unknown options behind any other option; `--log-level` as well, which is taken out here. So these three may
 * stand anywhere, as words of their own: a value that looks like one of them is written `--name=--help`.
 *
 * Whoever asks for help or for the version gets nothing else, so everything else is left out then. Help is asked of every
 * word that may name a command: the parser shows the page of the last that does. The `true` keeps it from reading a word
 * such as `no` as the answer to `--help`.
 */
export const arrange = (typed: ReadonlyArray<string>): Arguments => {
  const { flags, words } = takeLogLevel(typed.filter((word) => !HELP.has(word)))
  const firstOption = words.findIndex((word) => word.startsWith("-"))
  const command = firstOption === -1 ? words : words.slice(0, firstOption)
  if (typed.some((word) => HELP.has(word))) {
    const asked = command.flatMap((word) => [word, "--help", "true"])
    return { command, flags: new Map(), words: command.length === 0 ? ["--help"] : asked }
  }
  if (words.includes("--version")) return { command, flags: new Map(), words: ["--version"] }
  return { command, flags, words }
}
