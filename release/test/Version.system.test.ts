import { spawn } from "node:child_process"
import { once } from "node:events"
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join, relative } from "node:path"
import { afterAll, beforeAll, expect, it } from "vitest"
import * as ExampleRanges from "../src/ExampleRanges.ts"
import { published, readManifest, ROOT } from "../src/Repository.ts"

/** A copy of the files that a release changes, with one changeset of one package. */
const copy = mkdtempSync(join(tmpdir(), "version-"))
const COPIED = [
  "package.json",
  ".changeset",
  "packages",
  "apps",
  "attack",
  "bench",
  "conformance",
  "release",
  "examples"
]
const isManifest =
  /^(?:(?:\.changeset|packages|apps|examples)(?:\/[^/]+)?|[a-z]+|(?:[^/]+\/){0,2}(?:package\.json|CHANGELOG\.md))$/

beforeAll(async () => {
  for (const name of COPIED) {
    cpSync(join(ROOT, name), join(copy, name), {
      recursive: true,
      filter: (path) => isManifest.test(relative(ROOT, path).replaceAll("\\", "/"))
    })
  }
  symlinkSync(join(ROOT, "node_modules"), join(copy, "node_modules"), "junction")
  writeFileSync(
    join(copy, ".changeset/a-change.md"),
    "---\n\"@community-messaging/storage-sql\": major\n---\n\nIt changes.\n"
  )
  const program = join(ROOT, "node_modules/@changesets/cli/bin.js")
  const running = spawn(process.execPath, [program, "version"], { cwd: copy, stdio: "ignore" })
  await once(running, "exit")
  ExampleRanges.update(copy)
})

afterAll(() => rmSync(copy, { recursive: true }))

it("a release gives all packages the same version, even if only one has changed", () => {
  const versions = new Set(published(copy).map(({ manifest }) => manifest.version))
  expect([...versions]).toEqual(["1.0.0"])
})

it("every package, also a private one, requires exactly that version of the others", () => {
  const directories = [...published(copy).map(({ directory }) => directory), "bench", "attack"]
  const requested = directories.flatMap((directory) => {
    const { dependencies, devDependencies } = readManifest(join(copy, directory))
    return Object.entries({ ...dependencies, ...devDependencies })
      .filter(([name]) => published(copy).some(({ manifest }) => manifest.name === name))
      .map(([, range]) => range)
  })
  expect([...new Set(requested)]).toEqual(["1.0.0"])
})

it("the examples require it", () => {
  const { dependencies } = readManifest(join(copy, "examples/use-case"))
  expect(dependencies["@community-messaging/domain"]).toBe("^1.0.0")
})

it("the changelog of the package has the change", () => {
  expect(readFileSync(join(copy, "packages/storage-sql/CHANGELOG.md"), "utf8")).toMatch(/## 1\.0\.0[^]*It changes\./)
})
