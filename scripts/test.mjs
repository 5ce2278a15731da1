// npm test [-- --all | ARGUMENTS OF VITEST]: the tests, and the static checks at the same time, because tests leave processors
// idle now and then. Without arguments, it leaves out the system tests, which start programs, and lints the files that changed
// since main.

import { base, changedSince, lint, lintAll } from "./changes.mjs"
import { run, TYPES_OF_TESTS } from "./run.mjs"

/**
 * For the programs that are written in Go, such as the compiler and the linter: they take less processor time in total if they
 * collect garbage only where memory gets scarce, and, beside others, if they have one thread.
 */
const FEW_COLLECTIONS = { GOGC: "off", GOMEMLIMIT: "2GiB" }
const ONE_THREAD = { ...FEW_COLLECTIONS, GOMAXPROCS: "1" }

const given = process.argv.slice(2)
const isComplete = given.length > 0
const selection = isComplete ? given.filter((argument) => argument !== "--all") : ["--exclude", "**/*.system.test.ts"]

const TESTS = ["vitest", "run", "--config", "vitest.together.config.ts", ...selection]

/** The commit since which changed files are linted: none for a complete run, or without Git. */
const since = isComplete ? undefined : base()

const compiled = run(["node", "scripts/setup.mjs"], { env: FEW_COLLECTIONS })
const tests = compiled.then((succeeds) => succeeds ? run(TESTS, { env: ONE_THREAD }) : undefined)
// On a terminal, Vitest would erase what others print while it runs.
const beside = { after: tests, env: ONE_THREAD, quiet: true }
const onceCompiled = (check) => compiled.then((succeeds) => succeeds ? check() : undefined)

const results = {
  dprint: run(["dprint", "check"], beside),
  knip: run(["knip"], beside),
  // Both read the types of compiled modules.
  tsc: onceCompiled(() => run(TYPES_OF_TESTS, beside)),
  oxlint: onceCompiled(() => since === undefined ? lintAll(beside) : lint(changedSince(since), beside)),
  vitest: tests
}
const passes = await Promise.all(Object.values(results))
for (const [index, name] of Object.keys(results).entries()) {
  const succeeds = passes[index]
  console.log(`${name}: ${succeeds === undefined ? "not run" : succeeds ? "passes" : "fails, see above"}`)
}
if (!isComplete) console.log("The system tests, which start programs, are left out. Run them, too: npm test -- --all")
process.exitCode = passes.every(Boolean) ? 0 : 1
