import { describe, expect, it } from "@effect/vitest"
import { Either } from "effect"
import { arrange } from "../../src/command-line/Arguments.ts"
import * as CommandLine from "../../src/command-line/CommandLine.ts"
import * as CommandTree from "../../src/command-line/CommandTree.ts"

const tree = CommandTree.make(CommandLine.commands())

/** The words for the parser. */
const arranged = (typed: string) => Either.getOrThrow(arrange(tree, typed === "" ? [] : typed.split(" ")))

const level = (text: string): ReadonlyMap<string, string> => new Map([["LOG_LEVEL", text]])

/** The words that request the page of each of these. */
const ask = (...words: ReadonlyArray<string>) => words.flatMap((word) => [word, "--help", "true"])

/** Every option of every command, with its places. */
const optionsOf = (place: CommandTree.CommandTree): ReadonlyArray<readonly [string, string]> => [
  ...place.options,
  ...Array.from(place.subcommands.values()).flatMap(optionsOf)
]

describe("the arguments", () => {
  const orders: ReadonlyArray<readonly [typed: string, words: string]> = [
    ["serve --public-url=", "serve --public-url "],
    ["token list", "token list"],
    ["import file.ndjson --strict --data-dir x", "import --strict true --data-dir x -- file.ndjson"],
    ["import --data-dir x file.ndjson --strict", "import --data-dir x --strict true -- file.ndjson"],
    ["--data-dir x token list --json", "token list --data-dir x --json true"],
    ["--json token --data-dir=x list", "token list --json true --data-dir x"],
    ["token --user 1 issue bot", "token issue bot --user 1"],
    ["--data-dir token token list", "token list --data-dir token"],
    ["webhook create --name list --channel 1", "webhook create --name list --channel 1"],
    ["token revoke 5 --json", "token revoke --json true -- 5"],
    ["import --strict no", "import --strict true -- no"],
    ["token list --json=false", "token list --json false"],
    ["webhook create --name a=b --channel=c=d", "webhook create --name a=b --channel c=d"],
    ["audit list --after -1", "audit list --after -1"],
    ["webhook create --name=--json --channel 1", "webhook create --name --json --channel 1"],
    ["webhook create --name=-- --channel 1", "webhook create --name=-- --channel 1"],
    ["webhook create --name=--help --channel 1", "webhook create --name --help --channel 1"],
    ["import -- --strict", "import -- --strict"],
    ["import - --strict", "import --strict true -- -"],
    ["token list --loudly", "token list --loudly"],
    ["token issue admin --acl * --name a --acl=x", "token issue admin --acl * --name a --acl x"],
    ["--completions bash", "--completions bash"]
  ]
  const helps: ReadonlyArray<readonly [typed: string, words: ReadonlyArray<string>]> = [
    ["--help", ["--help"]],
    ["-h", ["--help"]],
    ["help", ["--help"]],
    ["-- --help", ["--help"]],
    ["--data-dir x token --help", ask("token")],
    ["--data-dir token --help", ["--help"]],
    ["help token issue", ask("token", "issue")],
    ["serve --help", ask("serve")],
    ["serve --demo -h", ask("serve")],
    ["serve --port 1 --version --help", ask("serve")],
    ["serve -- --help", ask("serve")],
    ["serve --log-level loud --help", ask("serve")],
    ["import no --help", ask("import")],
    ["--help token issue bot --user 1", ask("token", "issue", "bot")],
    ["token --help issue bot --user 1", ask("token", "issue", "bot")],
    ["--log-level debug token issue --help", ask("token", "issue")],
    ["webhook create --name --help", ask("webhook", "create")],
    ["--version", ["--version"]],
    ["serve --port 1 --version", ["--version"]],
    ["--log-level none serve --version", ["--version"]]
  ]
  it.each<readonly [typed: string, words: ReadonlyArray<string>]>([
    ...orders.map(([typed, words]) => [typed, words.split(" ")] as const),
    ...helps
  ])("may stand in any order, and those for a page or the version hide the others: %s", (typed, words) => {
    expect(arranged(typed)).toMatchObject({ words, flags: new Map() })
  })

  const levels: ReadonlyArray<readonly [typed: string, level: string]> = [
    ["--log-level debug serve --port 0", "debug"],
    ["serve --log-level debug --port 0", "debug"],
    ["serve --port 0 --log-level debug", "debug"],
    ["serve --port 0 --log-level=debug", "debug"],
    ["serve --log-level none --port 0 --log-level debug", "debug"],
    ["serve --port 0 --log-level=", ""]
  ]
  for (const [typed, given] of levels) {
    it(`set a log level at any place: ${typed}`, () => {
      expect(arranged(typed)).toEqual({ command: ["serve"], words: ["serve", "--port", "0"], flags: level(given) })
    })
  }

  const mistakes: ReadonlyArray<readonly [typed: string, mistake: RegExp]> = [
    ["dance", /^there is no command dance: use one of serve, token, /],
    ["token dance --json", /^there is no command token dance: use one of issue, list, revoke$/],
    ["token issue bot --user", /^--user needs a value\. A value that begins with a dash is written --user=VALUE$/],
    ["token issue bot --user --json", /^--user needs a value\./],
    ["serve --log-level", /^--log-level needs a value\./],
    ["--data-dir x token list --data-dir=y", /^--data-dir is given more than once$/],
    ["token list --json --json", /^--json is given more than once$/],
    ["token --json", /^a command is missing: use one of issue, list, revoke$/],
    ["--verson", /^there is no option --verson$/],
    ["--dtaa-dir x token list", /^there is no option --dtaa-dir$/],
    ["--completions tcsh", /^--completions must be one of bash, fish, zsh$/]
  ]
  for (const [typed, mistake] of mistakes) {
    it(`are refused with their mistake: ${typed}`, () => {
      const { message } = Either.getOrThrow(Either.flip(arrange(tree, typed.split(" "))))
      expect(message).toMatch(mistake)
    })
  }

  it("can be parsed before the command is known: no option has a value in only one command", () => {
    const kinds = new Map<string, Set<string>>()
    for (const [name, kind] of optionsOf(tree)) kinds.set(name, (kinds.get(name) ?? new Set()).add(kind))
    expect(Array.from(kinds).filter(([, all]) => all.size > 1)).toEqual([])
    expect(kinds.size).toBeGreaterThan(20)
  })
})
