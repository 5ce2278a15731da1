import * as NodeContext from "@effect/platform-node/NodeContext"
import { expect, layer } from "@effect/vitest"
import { Effect, Predicate } from "effect"
import { spawnSync } from "node:child_process"
import { beforeAll, describe, it } from "vitest"
import { build } from "../program/Program.ts"
import { NOT_RUN } from "./NotRun.ts"
import { blocks, commands, pages } from "./PageCommands.ts"
import * as PageSession from "./PageSession.ts"

/** Pages with their own tests for their commands or programs. */
const TESTED_ELSEWHERE = new Map([["docs/clients.md", "conformance/test/Clients"]])

/** The pages with programs that readme/Documents and readme/Readme find in tested programs. */
const WITH_PROGRAMS = new Set([
  "README.md",
  "docs/embedding.md",
  "docs/events.md",
  "docs/writing-an-adapter.md",
  "docs/member-index.md"
])

const PROGRAMS = new Set(["ts", "js", "tsx", "jsx", "mjs"])

/** Languages without programs. http/server/OpenApiExamples checks `json`, postgres/PostgresSettings runs `sql`. */
const DATA = new Set(["", "json", "mermaid", "sql"])

const notRun = new Set(NOT_RUN.flatMap((reason) => reason.commands))

const own = pages.filter(({ file }) => !TESTED_ELSEWHERE.has(file))

const all = Array.from(new Set(own.flatMap(commands)))

describe("the pages", () => {
  it("have no code in an unknown language", () => {
    const unknown = own.flatMap((page) =>
      blocks(page).filter(({ language }) => language !== "sh" && !PROGRAMS.has(language) && !DATA.has(language))
    )
    expect(unknown).toEqual([])
  })

  it("have programs only if a test finds them in a tested program", () => {
    const withPrograms = own.filter((page) => blocks(page).some(({ language }) => PROGRAMS.has(language)))
    expect(withPrograms.map(({ file }) => file).filter((file) => !WITH_PROGRAMS.has(file))).toEqual([])
  })

  it("have only commands that a test runs, or that are excluded for a reason", () => {
    expect(Array.from(notRun).filter((command) => !all.includes(command))).toEqual([])
    const { status, stderr } = spawnSync("sh", ["-n"], { input: Array.from(notRun).join("\n"), encoding: "utf8" })
    expect([status, stderr]).toEqual([0, ""])
  })
})

// The first commands start the compiled program.
beforeAll(build)

layer(NodeContext.layer, { excludeTestServices: true })("the commands of the pages", (it) => {
  it.scoped("succeed, one after another", () =>
    Effect.gen(function*() {
      const run = all.filter((command) => !notRun.has(command))
      expect(run.length).toBeGreaterThan(30)
      const failures = yield* PageSession.failuresOf(run)
      expect(failures.filter(Predicate.isNotUndefined)).toEqual([])
    }))
})
