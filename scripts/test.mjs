// npm test [-- --all | ARGUMENTS OF VITEST]: the tests, and the static checks at the same time, because tests leave processors
// idle now and then. Without arguments, it leaves out the system tests, which start programs.

import { run, TYPES_OF_TESTS } from "./run.mjs"

/**
 * For the programs that are written in Go, such as the compiler and the linter: they take less processor time in total if they
 * collect garbage only where memory gets scarce, and, beside others, if they have one thread.
 */
const FEW_COLLECTIONS = { GOGC: "off", GOMEMLIMIT: "2GiB" }
const ONE_THREAD = { ...FEW_COLLECTIONS, GOMAXPROCS: "1" }

/** Checks that need no compiled modules: they begin while those are compiled. */
const OF_SOURCES = [["dprint", "check"], ["knip"]]

/** Checks that read the types of compiled modules. */
const OF_TYPES = [TYPES_OF_TESTS, ["oxlint", "-c", "oxlint.config.mjs"]]

const given = process.argv.slice(2)
const isComplete = given.length > 0
const selection = isComplete ? given.filter((argument) => argument !== "--all") : ["--exclude", "**/*.system.test.ts"]

const TESTS = ["vitest", "run", "--config", "vitest.together.config.ts", ...selection]

const compiled = run(["node", "scripts/setup.mjs"], { env: FEW_COLLECTIONS })
const tests = compiled.then((succeeds) => succeeds ? run(TESTS, { env: ONE_THREAD }) : undefined)
// On a terminal, Vitest would erase what others print while it runs.
const begin = (check) => run(check, { after: tests, env: ONE_THREAD, quiet: true })
const passes = await Promise.all([
  ...OF_SOURCES.map(begin),
  ...OF_TYPES.map((check) => compiled.then((succeeds) => succeeds ? begin(check) : undefined)),
  tests
])
for (const [index, [name]] of [...OF_SOURCES, ...OF_TYPES, TESTS].entries()) {
  const result = passes[index]
  console.log(`${name}: ${result === undefined ? "not run" : result ? "passes" : "fails, see above"}`)
}
if (!isComplete) console.log("The system tests, which start programs, are left out. Run them, too: npm test -- --all")
process.exitCode = passes.every(Boolean) ? 0 : 1
