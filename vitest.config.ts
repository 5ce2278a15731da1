import { readdirSync } from "node:fs"
import { availableParallelism } from "node:os"
import { fileURLToPath } from "node:url"
import { defineConfig } from "vitest/config"
import { useMemory } from "./test/MemoryFiles.ts"

/** Those whose tests have a PostgreSQL server. */
const ON_POSTGRES = new Set(["server", "storage-postgres"])
const postgres = fileURLToPath(new URL("test/Postgres.ts", import.meta.url))

/** A test waits for half of its time: for processes that it has started, a database, a browser. */
const WORKERS = availableParallelism() + 1

const packages = ["packages", "apps"].flatMap((parent) => readdirSync(parent).map((name) => ({ name, parent })))

// One project a package, named like its folder, and one for the rules of the repository: vitest run --project domain
export const projects = [
  ...packages.map(({ name, parent }) => ({
    name,
    include: [`${parent}/${name}/test/**/*.test.ts`],
    globalSetup: ON_POSTGRES.has(name) ? [postgres] : []
  })),
  { name: "attack", include: ["attack/test/**/*.test.ts"], globalSetup: [] },
  { name: "cluster", include: ["cluster/test/**/*.test.ts"], globalSetup: [] },
  { name: "conformance", include: ["conformance/test/**/*.test.ts"], globalSetup: [] },
  { name: "release", include: ["release/test/**/*.test.ts"], globalSetup: ["release/test/Installation.ts"] },
  { name: "repository", include: ["test/**/*.test.ts"], globalSetup: [] }
]

useMemory()

export default defineConfig({
  // Packages find one another's sources, so that tests need no build. Node knows no condition "module", which is for bundlers.
  ssr: { resolve: { conditions: ["development", "node"] } },
  test: {
    // Tests share no state through modules, and loading those anew for each file takes longer than the tests.
    isolate: false,
    maxWorkers: WORKERS,
    // With fewer, the pool ends workers that wait for the next file, and the run fails with "Terminating worker thread".
    minWorkers: WORKERS,
    // A busy machine is no failure.
    testTimeout: 120_000,
    hookTimeout: 120_000,
    setupFiles: ["TestMethods.ts", "PropertySettings.ts", "ParsableStacks.ts"].map((name) =>
      fileURLToPath(new URL(`test/${name}`, import.meta.url))
    ),
    projects: projects.map((test) => ({ extends: true, test })),
    passWithNoTests: true
  }
})
