// Which tests `npm test` leaves out without `--all`.

import { readdirSync, readFileSync } from "node:fs"
import { dirname, join } from "node:path"
import { expect, it } from "vitest"
import { projects } from "../vitest.config.ts"
import { REPOSITORY } from "./Documents.ts"

/** What a module of tests has that starts a program: Node's module, a module of ours that uses it, or another PostgreSQL. */
const STARTS_A_PROGRAM =
  /["'](?:node:)?child_process["']|\/(?:ServerProcess|NeutralCaller|Attackers|Pack)\.ts"|\bLocalPostgres\.(?:own|start)\(/

/** This test names these, and the run itself starts PostgreSQL for all. */
const EXCEPTIONS = new Set(["test/SystemTests.test.ts", "test/Postgres.ts"].map((file) => join(REPOSITORY, file)))

/** The modules of tests that a module of tests imports. */
const imports = (file: string, source: string): ReadonlyArray<string> =>
  [...source.matchAll(/(?: from |\bimport\(?\s*)["'](\.[^"']+\.ts)["']/g)]
    .map(([, path = ""]) => join(dirname(file), path))
    .filter((path) => path.includes("/test/"))

const startsAProgram = (file: string, seen = new Set<string>()): boolean => {
  if (seen.has(file) || EXCEPTIONS.has(file)) return false
  seen.add(file)
  const source = readFileSync(file, "utf8")
  return STARTS_A_PROGRAM.test(source) || imports(file, source).some((path) => startsAProgram(path, seen))
}

const folders = new Set(
  projects.flatMap(({ include }) => include).map((pattern) => pattern.replace("/**/*.test.ts", ""))
)

const tests = [...folders].flatMap((folder) =>
  readdirSync(join(REPOSITORY, folder), { encoding: "utf8", recursive: true })
    .filter((name) => name.endsWith(".test.ts"))
    .map((name) => join(folder, name))
)

it("the tests that start a program are named *.system.test.ts, and no others", () => {
  const starting = tests.filter((file) => startsAProgram(join(REPOSITORY, file)))
  expect(tests.filter((file) => file.endsWith(".system.test.ts")).toSorted()).toEqual(starting.toSorted())
})
