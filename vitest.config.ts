import { readdirSync } from "node:fs"
import { fileURLToPath } from "node:url"
import { defineConfig } from "vitest/config"

/** Those whose tests have a PostgreSQL server. */
const ON_POSTGRES = new Set(["domain", "server", "storage-postgres"])
const postgres = fileURLToPath(new URL("test/Postgres.ts", import.meta.url))

const packages = ["packages", "apps"].flatMap((parent) => readdirSync(parent).map((name) => ({ name, parent })))

export default defineConfig({
  // Packages find one another's sources, so that tests need no build. Node knows no condition "module", which is for bundlers.
  ssr: { resolve: { conditions: ["development", "node"] } },
  test: {
    // Tests share no state through modules, and loading those anew for each file takes longer than the tests.
    isolate: false,
    // A busy machine is no failure.
    testTimeout: 20_000,
    setupFiles: ["RestoreTestMethods.ts", "PropertySeed.ts"].map((name) =>
      fileURLToPath(new URL(`test/${name}`, import.meta.url))
    ),
    // One project a package, named like its folder, and one for the rules of the repository: vitest run --project domain
    projects: [
      ...packages.map(({ name, parent }) => ({
        extends: true as const,
        test: {
          name,
          include: [`${parent}/${name}/test/**/*.test.ts`],
          globalSetup: ON_POSTGRES.has(name) ? [postgres] : []
        }
      })),
      { extends: true, test: { name: "attack", include: ["attack/test/**/*.test.ts"] } },
      { extends: true, test: { name: "cluster", include: ["cluster/test/**/*.test.ts"] } },
      { extends: true, test: { name: "conformance", include: ["conformance/test/**/*.test.ts"] } },
      {
        extends: true,
        test: {
          name: "release",
          include: ["release/test/**/*.test.ts"],
          globalSetup: ["release/test/Installation.ts"],
          testTimeout: 120_000
        }
      },
      { extends: true, test: { name: "repository", include: ["test/**/*.test.ts"] } }
    ],
    passWithNoTests: true,
    // What `npm run check` takes as a change of everything. Most changes of a package.json change no test.
    forceRerunTriggers: ["**/vitest.config.*"]
  }
})
