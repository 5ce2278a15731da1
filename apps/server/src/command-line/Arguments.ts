import { Either } from "effect"
import type { Flags } from "../configuration/Setting.ts"
import * as CommandTree from "./CommandTree.ts"
import { CommandFailed } from "./Failure.ts"

/** The command line arguments, in an order that the parser accepts. */
export interface Arguments {
  /** The arguments for the parser, without Node's first two. */
  readonly words: ReadonlyArray<string>
  /** The names of the command: `token`, `issue`, `bot`. */
  readonly command: ReadonlyArray<string>
  /** The settings that apply to all commands. */
  readonly flags: Flags
}

const LOG_LEVEL = "--log-level"

const COMPLETIONS = "--completions"

const SHELLS: ReadonlyArray<string> = ["bash", "fish", "zsh"]

const HELP: ReadonlySet<string> = new Set(["--help", "-h"])

/** The options of the program itself that take a value. */
const PROGRAM_OPTIONS: ReadonlyArray<readonly [string, "value"]> = [[LOG_LEVEL, "value"], [COMPLETIONS, "value"]]

/** The typed words, sorted. */
interface Sorted {
  readonly command: Array<string>
  readonly options: Array<string>
  readonly others: Array<string>
  readonly flags: Map<string, string>
  /** The names of the options. */
  readonly names: Set<string>
  /** The first mistake. */
  problem?: string
}

/** A value that is `--` stays with its option, because alone it ends the options. */
const optionWords = (name: string, value: string): ReadonlyArray<string> =>
  value === "--" ? [`${name}=${value}`] : [name, value]

/** The mistake if a command has subcommands but none of them follows. */
const missingCommand = (
  { command, names, others }: Sorted,
  kinds: ReadonlyMap<string, CommandTree.OptionKind>,
  known: ReadonlyArray<string>
): string | undefined => {
  if (known.length === 0 || names.has(COMPLETIONS) || names.size + others.length === 0) return undefined
  const unknown = Array.from(names).find((name) => !kinds.has(name))
  if (unknown !== undefined) return `there is no option ${unknown}`
  const wrong = others.length === 0
    ? "a command is missing"
    : `there is no command ${[...command, others[0]].join(" ")}`
  return `${wrong}: use one of ${known.join(", ")}`
}

const sort = (tree: CommandTree.CommandTree, typed: ReadonlyArray<string>): Sorted => {
  const kinds = new Map([...CommandTree.allOptions(tree), ...PROGRAM_OPTIONS])
  const sorted: Sorted = { command: [], options: [], others: [], flags: new Map(), names: new Set() }
  const add = (name: string, words: ReadonlyArray<string>) => {
    if (sorted.names.has(name) && kinds.get(name) !== "values") sorted.problem ??= `${name} is given more than once`
    sorted.names.add(name)
    sorted.options.push(...words)
  }
  const set = (name: string, value: string) => {
    if (name === COMPLETIONS && !SHELLS.includes(value)) {
      sorted.problem ??= `${name} must be one of ${SHELLS.join(", ")}`
    }
    if (name === LOG_LEVEL) sorted.flags.set("LOG_LEVEL", value)
    else add(name, optionWords(name, value))
  }
  let place = tree
  for (let index = 0; index < typed.length; index += 1) {
    const word = typed[index] ?? ""
    const next = typed[index + 1]
    const [, name = word, value] = /^(--[^=]+)=(.*)$/s.exec(word) ?? []
    const subcommand = place.subcommands.get(word)
    if (word === "--") {
      sorted.others.push(...typed.slice(index + 1))
      break
    } else if (kinds.has(name) && kinds.get(name) !== "flag") {
      if (value === undefined && (next === undefined || next === "--" || kinds.has(next))) {
        sorted.problem ??= `${name} needs a value. A value that begins with a dash is written ${name}=VALUE`
        continue
      }
      set(name, value ?? next ?? "")
      if (value === undefined) index += 1
    } else if (kinds.has(name)) {
      // With its value, so that the parser does not read a word such as `no` as the value.
      add(name, [name, value ?? "true"])
    } else if (word.startsWith("-") && word !== "-") {
      add(name, [word])
    } else if (subcommand !== undefined && sorted.others.length === 0) {
      sorted.command.push(word)
      place = subcommand
    } else {
      sorted.others.push(word)
    }
  }
  const missing = missingCommand(sorted, kinds, Array.from(place.subcommands.keys()))
  if (missing !== undefined) sorted.problem ??= missing
  return sorted
}

/** The `true` prevents the parser from reading a word such as `no` as the value of `--help`. */
const pageOf = (command: ReadonlyArray<string>): ReadonlyArray<string> =>
  command.length === 0 ? ["--help"] : command.flatMap((word) => [word, "--help", "true"])

/**
 * Rearranges the arguments for the parser. The parser requires the command, then its options, then its other arguments, and
 * accepts `--help` and `--version` only directly after a command. Users may give all of them in any order. Words after `--`
 * are not options.
 *
 * With `--help`, `help` as the command, or `--version`, everything else is left out. A value that looks like one of them is
 * written `--name=--help`. `--log-level` is taken out, because it applies to all commands.
 */
export const arrange = (
  tree: CommandTree.CommandTree,
  typed: ReadonlyArray<string>
): Either.Either<Arguments, CommandFailed> => {
  const remaining = typed.filter((word, index) => !HELP.has(word) && !(index === 0 && word === "help"))
  const { command, flags, options, others, problem } = sort(tree, remaining)
  if (remaining.length < typed.length) return Either.right({ command, flags: new Map(), words: pageOf(command) })
  if (typed.includes("--version")) return Either.right({ command, flags: new Map(), words: ["--version"] })
  if (problem !== undefined) return Either.left(new CommandFailed({ message: problem }))
  return Either.right({
    command,
    flags,
    words: [...command, ...options, ...others.length > 0 ? ["--", ...others] : []]
  })
}
