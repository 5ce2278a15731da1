import type { Flags } from "../configuration/Setting.ts"

/** The command line arguments, in an order that the parser accepts. */
export interface Arguments {
  /** The arguments for the parser, without Node's first two. */
  readonly words: ReadonlyArray<string>
  /** The words that may be a command: those before the first option. */
  readonly command: ReadonlyArray<string>
  /** The settings that apply to all commands. */
  readonly flags: Flags
}

const LOG_LEVEL = "--log-level"

const HELP: ReadonlySet<string> = new Set(["--help", "-h"])

/** Removes `--log-level LEVEL` from the words and returns the last level. A flag without a level is not removed. */
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
 * Rearranges the arguments for the parser. The parser accepts `--help` and `--version` only directly after a command,
 * and reports them as unknown options after any other option. This function moves them and takes out `--log-level`, so
 * that all three may stand anywhere as separate words. A value that looks like one of them is written `--name=--help`.
 *
 * With `--help` or `--version`, all other options are left out. `--help` is added after every word that may be a
 * command; the parser shows the page of the last command. The `true` prevents the parser from reading a word such as
 * `no` as the value of `--help`.
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
