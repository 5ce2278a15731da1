/** The sources that `npm run test:mutation -- PART` changes, their tests, and the least share of noticed changes. */
const parts = {
  domain: { sources: ["packages/domain/src"], tests: ["packages/domain/test"], leastPercent: 90 },
  storage: {
    sources: ["packages/storage-memory/src", "packages/storage-sql/src", "packages/storage-sqlite/src"],
    tests: ["packages/storage-memory/test", "packages/storage-sql/test", "packages/storage-sqlite/test"],
    // Its processes run compiled files, which Stryker does not change.
    testsLeftOut: ["**/Crash.system.test.ts"],
    leastPercent: 80
  },
  http: {
    sources: ["packages/http-adapter/src", "packages/event-loop/src", "packages/json-reader/src"],
    tests: [
      "packages/http-adapter/test",
      "packages/event-loop/test",
      "packages/json-reader/test",
      "apps/server/test/http",
      "apps/server/test/serving"
    ],
    // Stryker counts each step of reading a body: megabytes take minutes.
    testsLeftOut: ["**/LargeBodies.test.ts"],
    leastPercent: 80
  }
}

// Stryker and Vitest read their configurations in other processes, which do not get the arguments.
const [name, ...folder] = (process.env.MUTATION_PART ?? "domain").split("/")
const part = parts[name]
if (part === undefined) throw new Error(`There is no part ${name}. The parts are ${Object.keys(parts).join(", ")}.`)

export const { leastPercent } = part
export const sources = part.sources.map((source) => [source, ...folder, "**/*.ts"].join("/"))
export const tests = part.tests.map((directory) => `${directory}/**/*.test.ts`)
export const { testsLeftOut = [] } = part
