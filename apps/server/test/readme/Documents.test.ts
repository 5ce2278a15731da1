import { describe, expect, it } from "@effect/vitest"
import { readFileSync } from "node:fs"
import { fileURLToPath } from "node:url"

const read = (path: string) => readFileSync(fileURLToPath(new URL(`../../../../${path}`, import.meta.url)), "utf8")

/** Each document, and the programs of its code. Tests beside the programs run them. */
const DOCUMENTS = [
  ["docs/embedding.md", [
    "apps/server/test/readme/EmbeddingGuide.ts",
    "apps/server/test/readme/ManagedServer.ts",
    "packages/http-adapter/test/mount/Applications.ts"
  ]],
  ["docs/writing-an-adapter.md", [
    "packages/domain-contract/test/adapter/AuditLogFile.ts",
    "packages/domain-contract/test/adapter/AuditLogFile.test.ts",
    "packages/storage-sqlite/test/StorageContract.test.ts"
  ]],
  ["docs/events.md", ["examples/event-stream/src/Follower.ts"]],
  ["docs/member-index.md", ["packages/member-index/test/Guide.test.ts"]],
  ["packages/service/README.md", ["packages/service/test/readme/Program.ts"]]
] as const

/** The lines of a program, without indentation, empty lines and `export`. */
const linesOf = (code: string): ReadonlyArray<string> =>
  code.split("\n").map((line) => line.trim().replace(/^export const/, "const")).filter((line) => line !== "")

const isImport = (line: string) => line.startsWith("import ")

/** Whether the program has the lines of the block one after another, and its imports somewhere. */
const shows = (program: string, block: string): boolean => {
  const lines = linesOf(block)
  const body = lines.filter((line) => !isImport(line)).join("\n")
  const known = linesOf(program)
  return known.filter((line) => !isImport(line)).join("\n").includes(body) &&
    lines.filter(isImport).every((line) => known.includes(line))
}

const blocksOf = (document: string): ReadonlyArray<string> =>
  Array.from(document.matchAll(/^```ts\n(.*?)^```$/gms), ([, block = ""]) => block)

describe.each(DOCUMENTS)("%s", (document, programs) => {
  it.each(blocksOf(read(document)).map((block) => [linesOf(block)[0], block]))(
    "shows TypeScript of a tested program: %s",
    (_first, block = "") => {
      expect(programs.filter((program) => shows(read(program), block))).not.toEqual([])
    }
  )
})

it.each([
  ["docs/embedding.md", "apps/server/test/readme/EmbeddingGuide.ts"],
  ["docs/embedding.md", "apps/server/test/readme/ManagedServer.ts"],
  ["docs/writing-an-adapter.md", "packages/domain-contract/test/adapter/AuditLogFile.test.ts"]
])("%s has all imports of %s, because a reader cannot guess them", (document, program) => {
  const shown = new Set(blocksOf(read(document)).flatMap(linesOf))
  // A page has one import from `effect` for all of its programs.
  const imports = linesOf(read(program)).filter((line) => isImport(line) && !line.endsWith("from \"effect\""))
  expect(imports.filter((line) => !shown.has(line))).toEqual([])
})
