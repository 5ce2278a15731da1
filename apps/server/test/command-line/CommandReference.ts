import { Effect } from "effect"
import type * as CommandTree from "../../src/command-line/CommandTree.ts"
import { SETTINGS } from "../../src/configuration/Configuration.ts"
import { flagName } from "../../src/configuration/Setting.ts"
import { run } from "./Terminal.ts"

const SETTING_FLAGS = new Set(SETTINGS.map(({ about: { name } }) => `--${flagName(name)}`))

/** The words of every command that has no subcommands. */
const leaves = ({ subcommands }: CommandTree.CommandTree): ReadonlyArray<ReadonlyArray<string>> =>
  Array.from(subcommands).flatMap(([name, tree]) =>
    tree.subcommands.size === 0 ? [[name]] : leaves(tree).map((words) => [name, ...words])
  )

/** The text of a section of a help page. */
const section = (page: string, title: string): string =>
  new RegExp(`^${title}\\n\\n([^]*?)(?=\\n\\n[A-Z]{4,}\\n|$(?![^]))`, "m").exec(page)?.[1]?.trim() ?? ""

/** The entries of a section of a help page: each a name, and an indented text under it. */
const entries = (text: string): ReadonlyArray<readonly [name: string, text: string]> =>
  text.split(/\n\n(?=\S)/).filter((entry) => entry !== "").map((entry) => {
    const [name = "", ...rest] = entry.split("\n")
    return [name, rest.map((line) => line.trim()).join(" ").trim()]
  })

const cell = (text: string): string => text.replaceAll("|", "\\|")

const settingsOf = (flags: ReadonlyArray<string>): string => {
  if (flags.length === 0) return ""
  const names = flags.length > 10
    ? "all, see [settings.md](settings.md)"
    : flags.map((flag) => `\`${flag}\``).join(", ")
  return `\nSettings: ${names}.\n`
}

/** The part of the reference about one command, from its help page. */
const describe = (page: string): string => {
  const [usage = ""] = section(page, "USAGE").split("\n")
  const options = entries(section(page, "OPTIONS"))
  const isSetting = (name: string) => SETTING_FLAGS.has(name.split(" ")[0] ?? "")
  const named = [...entries(section(page, "ARGUMENTS")), ...options.filter(([name]) => !isSetting(name))]
  const rows = named.map(([name, text]) => `| \`${cell(name)}\` | ${cell(text)} |\n`).join("")
  const settings = options.map(([name]) => name.split(" ")[0] ?? "").filter(isSetting)
  return [
    `## ${/community-messaging ([a-z]+(?: [a-z][a-z-]*)*)/.exec(usage)?.[1] ?? ""}\n\n`,
    `${section(page, "DESCRIPTION")}\n\n`,
    `\`\`\`\n${usage.replace("$ ", "")}\n\`\`\`\n`,
    rows === "" ? "" : `\n| argument | meaning |\n| --- | --- |\n${rows}`,
    settingsOf(settings)
  ].join("")
}

const INTRODUCTION = `# Commands

This page is generated from the program's own help; a test compares them. \`npx vitest run --project server -u CommandReference\`
writes it anew.

\`community-messaging COMMAND --help\` describes a command. In a compiled clone, \`npx community-messaging\` is the program.
Options may be anywhere, before and after the command and its arguments, as \`--name value\` or \`--name=value\`; words after
\`--\` are not options. \`[SETTING]...\` stands for the flags of [settings](settings.md): each is an environment variable, too,
and the flag has priority. Every command accepts \`--log-level\`.

Results go to the standard output, everything else to the standard error. Lists print a table, or with \`--json\` one array;
long lists continue after an id with \`--after\`. The audit log and events are one JSON object per line. Text of third parties
is printed without control characters and control sequences. On a terminal, help and the log of \`serve\` have colours, unless
\`NO_COLOR\` is set.

| exit code | meaning |
| --- | --- |
| 0 | success; also \`serve\` and \`events tail\` after one SIGINT, SIGTERM or SIGHUP |
| 1 | an error: one line on the standard error names the cause; \`doctor\` found a problem |
| 130 | a signal interrupted another command, or came before \`serve\` or \`events tail\` was loaded |
| 141 | the program that reads the standard output ended early |
| 143 | a second SIGTERM or SIGHUP ended the program at once; a second SIGINT gives 130 |
`

/** The reference of all commands, as docs/commands.md has it. */
export const reference = (tree: CommandTree.CommandTree) =>
  Effect.gen(function*() {
    const overview = (yield* run([])).stdout
    const pages = yield* Effect.forEach(leaves(tree), (words) =>
      Effect.map(run([...words, "--help"]), ({ stdout }) => describe(stdout)))
    return [INTRODUCTION, `\`\`\`\n${overview}\`\`\`\n`, ...pages].join("\n")
  })
