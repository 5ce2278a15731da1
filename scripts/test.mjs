// npm test: all tests, and the static checks at the same time, because tests leave processors idle now and then.

import { run, TYPES_OF_TESTS } from "./run.mjs"

// The compiler and the linter, which are written in Go, take less processor time in total with one thread and with fewer
// garbage collections. The tests use the other processors.
process.env.GOMAXPROCS ??= "1"
process.env.GOGC ??= "400"

const CHECKS = [TYPES_OF_TESTS, ["oxlint", "-c", "oxlint.config.mjs"], ["dprint", "check"], ["knip"]]

const tests = run(["vitest", "run", "--config", "vitest.together.config.ts", ...process.argv.slice(2)])
// On a terminal, Vitest would erase what others print while it runs.
const checks = Promise.all(CHECKS.map((check) => run(check, { after: tests, quiet: true })))
const [succeeds, passed] = await Promise.all([tests, checks])
for (const [index, [name]] of CHECKS.entries()) console.log(`${name}: ${passed[index] ? "passes" : "fails, see above"}`)
process.exitCode = succeeds && passed.every(Boolean) ? 0 : 1
