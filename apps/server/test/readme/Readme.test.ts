import * as NodeContext from "@effect/platform-node/NodeContext"
import * as FileSystem from "@effect/platform/FileSystem"
import { expect, layer } from "@effect/vitest"
import { Effect, Option } from "effect"
import { fileURLToPath } from "node:url"
import { SETTINGS } from "../../src/configuration/Configuration.ts"
import { program } from "./Embedding.ts"

const read = (path: string) =>
  Effect.flatMap(FileSystem.FileSystem, (files) => files.readFileString(fileURLToPath(new URL(path, import.meta.url))))

const readme = read("../../../../README.md")
const settings = read("../../../../docs/settings.md")

layer(NodeContext.layer)("the readme", (it) => {
  it.effect("shows how to embed the domain with a program that runs", () =>
    Effect.gen(function*() {
      expect(Option.getOrNull((yield* program).email)).toBe("ada@example.org")
    }))

  it.effect("shows exactly that program", () =>
    Effect.gen(function*() {
      expect(yield* readme).toContain(`\`\`\`ts\n${yield* read("./Embedding.ts")}\`\`\``)
    }))

  it.effect("has only links to existing files", () =>
    Effect.gen(function*() {
      const files = yield* FileSystem.FileSystem
      const links = Array.from((yield* readme).matchAll(/\]\(([^)#]+)/g), ([, link]) => link ?? "")
      const missing = yield* Effect.filter(links, (link) =>
        files.exists(fileURLToPath(new URL(`../../../../${link}`, import.meta.url))), { negate: true })
      expect(missing).toEqual([])
    }))
})

layer(NodeContext.layer)("the page of settings", (it) => {
  for (const { about: { description, fallback, name } } of SETTINGS) {
    it.effect(`describes ${name} like the program`, () =>
      Effect.gen(function*() {
        expect(yield* settings).toContain(`| \`${name}\` | \`${fallback}\` | ${description} |`)
      }))
  }
})
