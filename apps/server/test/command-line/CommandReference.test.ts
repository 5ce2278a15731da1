import * as NodeContext from "@effect/platform-node/NodeContext"
import { expect, layer } from "@effect/vitest"
import { Effect } from "effect"
import { fileURLToPath } from "node:url"
import * as CommandLine from "../../src/command-line/CommandLine.ts"
import * as CommandTree from "../../src/command-line/CommandTree.ts"
import { OVERVIEW } from "../../src/command-line/Overview.ts"
import { reference } from "./CommandReference.ts"
import { run } from "./Terminal.ts"

const PAGE = fileURLToPath(new URL("../../../../docs/commands.md", import.meta.url))

const tree = CommandTree.make(CommandLine.commands())

/** The commands of the first two words. */
const commands = Array.from(tree.subcommands).flatMap(([name, { subcommands }]) =>
  subcommands.size === 0 ? [name] : Array.from(subcommands.keys(), (word) => `${name} ${word}`)
)

layer(NodeContext.layer)("the reference of commands", (it) => {
  it.effect("equals the program's own help, and describes every command, with every argument", () =>
    Effect.gen(function*() {
      const text = yield* reference(tree)
      yield* Effect.promise(() => expect(text).toMatchFileSnapshot(PAGE))
      const parts = text.split(/^## /m).slice(1)
      expect(parts.filter((part) => !/^\S.*\n\n\S/.test(part))).toEqual([])
      expect(parts.flatMap((part) => /\| \|$/m.exec(part) ?? [])).toEqual([])
      expect(commands.filter((command) => !parts.some((part) => part.startsWith(command)))).toEqual([])
    }))
})

layer(NodeContext.layer)("the overview", (it) => {
  it.effect("has a line for every command, and no other lines", () =>
    Effect.sync(() => {
      const listed = Array.from(OVERVIEW.matchAll(/^ {2}([a-z]+(?: [a-z-]+)?)(?= |$)/gm), ([, command]) => command)
      expect(new Set(listed)).toEqual(new Set(commands))
    }))
})

layer(NodeContext.layer)("the completions", (it) => {
  for (const shell of ["bash", "fish", "zsh"]) {
    it.effect(`contain every command for ${shell}`, () =>
      Effect.gen(function*() {
        const { stdout, succeeded } = yield* run(["--completions", shell])
        const words = new Set(stdout.split(/[^a-z-]+/))
        const wanted = [...commands.flatMap((command) => command.split(" ")), "data-dir", "scheduled-for-deletion"]
        expect(succeeded).toBe(true)
        expect(wanted.filter((word) => !words.has(word) && !words.has(`--${word}`))).toEqual([])
      }))
  }
})
