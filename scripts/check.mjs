// npm run check [-- COMMIT]: checks the changes since that commit; by default, since this branch left main, or on main since
// the last commit. Runs the nearest tests.

import { base, changedSince, lint } from "./changes.mjs"
import { nearestTests } from "./nearest-tests.mjs"
import { run, TYPES_OF_TESTS } from "./run.mjs"

/** The most test files that a check runs, some 15 seconds on two cores. */
const MOST_TESTS = 24

const since = process.argv[2] ?? base()
const changed = changedSince(since)

const deadCode = () =>
  changed.every((file) => file.endsWith(".md")) ||
  run(["knip", "--cache", "--cache-location", "node_modules/.cache/knip"], { quiet: true })

/** Runs the nearest tests. */
const test = async () => {
  const nearest = nearestTests(changed)
  const files = nearest.slice(0, MOST_TESTS)
  const succeeds = files.length === 0 || await run(["vitest", "run", "--reporter=dot", ...files])
  console.log(
    `Ran ${files.length} of the ${nearest.length} test files nearest to the changes. npm test -- --all runs all.`
  )
  return succeeds
}

console.log(
  `Checking ${changed.length} files that changed since ${since === undefined ? "the beginning" : since.slice(0, 8)} …`
)

const checks = await Promise.all([
  run(TYPES_OF_TESTS, { quiet: true }),
  lint(changed, { quiet: true }),
  run(["dprint", "check"], { quiet: true }),
  deadCode()
])
process.exitCode = [...checks, await test()].every(Boolean) ? 0 : 1
