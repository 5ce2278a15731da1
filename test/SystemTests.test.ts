// Which tests `npm test` leaves out without `--all`.

import { existsSync, readdirSync, readFileSync } from "node:fs"
import { dirname, join } from "node:path"
import { expect, it } from "vitest"
import { projects } from "../vitest.config.ts"
import { REPOSITORY } from "./Documents.ts"

/** What a test or its helper needs in order to start a program. The PostgreSQL server of `npm test` runs anyway. */
const STARTS_A_PROGRAM = /^import .* from "node:child_process"$|\bLocalPostgres\.(?:own|start)\(/m

const POSTGRES_OF_THE_RUN = join(REPOSITORY, "test/Postgres.ts")

/** The modules of tests that a module of tests imports. */
const imports = (file: string, source: string): ReadonlyArray<string> =>
  [...source.matchAll(/ from "(\.[^"]+)"/g)]
    .map(([, path = ""]) => join(dirname(file), path))
    .filter((path) => path.includes("/test/") && path !== POSTGRES_OF_THE_RUN && existsSync(path))

const startsAProgram = (file: string, seen = new Set<string>()): boolean => {
  if (seen.has(file)) return false
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
