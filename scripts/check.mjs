// npm run check [-- COMMIT]: checks the changes since that commit; by default, since this branch left main, or on main since
// the last commit. Runs the nearest tests.

import { spawnSync } from "node:child_process"
import { fileURLToPath } from "node:url"
import { nearestTests } from "./nearest-tests.mjs"
import { run, TYPES_OF_TESTS } from "./run.mjs"

process.chdir(fileURLToPath(new URL("..", import.meta.url)))

/** The most test files that a check runs, some 15 seconds on two cores. */
const MOST_TESTS = 24

const git = (...args) => {
  const { status, stdout } = spawnSync("git", args, { encoding: "utf8" })
  return status === 0 ? stdout.trim() : undefined
}

const base = () => {
  const head = git("rev-parse", "HEAD")
  const left = git("merge-base", "HEAD", "main") ?? git("merge-base", "HEAD", "origin/main")
  if (left !== undefined && left !== head) return left
  return git("status", "--porcelain") === "" ? git("rev-parse", "HEAD~1") : head
}

const since = process.argv[2] ?? base()
const lines = (text = "") => text.split("\n").filter((line) => line !== "")
const changed = [
  ...lines(git("diff", "--name-only", "--diff-filter=d", since ?? "HEAD")),
  ...lines(git("ls-files", "--others", "--exclude-standard"))
]

const lint = () => {
  const files = changed.filter((file) => /\.(?:ts|mjs|js)$/.test(file))
  if (files.includes("oxlint.config.mjs")) return run(["oxlint", "-c", "oxlint.config.mjs"], { quiet: true })
  return files.length === 0 || run(["oxlint", "-c", "oxlint.config.mjs", ...files], { quiet: true })
}

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
  lint(),
  run(["dprint", "check"], { quiet: true }),
  deadCode()
])
process.exitCode = [...checks, await test()].every(Boolean) ? 0 : 1
