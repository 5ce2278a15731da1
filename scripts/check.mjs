// npm run check [-- COMMIT]: checks the changes since that commit; by default, since this branch left main, or on main since
// the last commit. Runs the nearest tests, as many as its time allows, and reports how many remain for npm test.

import { spawnSync } from "node:child_process"
import { fileURLToPath } from "node:url"
import { relatedTests } from "./related-tests.mjs"
import { run } from "./run.mjs"

process.chdir(fileURLToPath(new URL("..", import.meta.url)))

/** Tests that need a disk, a server, a browser or packed packages. They run only if a file beside them changed. */
const SLOW =
  /^(?:apps\/server|packages\/(?:storage-(?:memory|sqlite|postgres)|client)|attack|cluster|conformance|release)\//

/** The most files of tests that a check runs, some 15 seconds on two cores; a slow one counts as two. */
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

const chosenOf = (related) => {
  const candidates = related.filter(({ file, isNear }) => isNear === true || !SLOW.test(file)).map(({ file }) => file)
  let weight = 0
  return candidates.filter((file) => {
    weight += SLOW.test(file) ? 2 : 1
    return weight <= MOST_TESTS
  })
}

/** Runs the nearest tests, and reports how many of the related tests remain for `npm test`. */
const test = async () => {
  const related = relatedTests(changed)
  const files = chosenOf(related)
  const succeeds = files.length === 0 || await run(["vitest", "run", "--reporter=dot", ...files])
  console.log(
    files.length === related.length
      ? `Ran all tests of the changes; their files: ${files.length}.`
      : `Ran the nearest tests of the changes: ${files.length} of ${related.length} files. npm test runs all.`
  )
  return succeeds
}

console.log(
  `Checking ${changed.length} files that changed since ${since === undefined ? "the beginning" : since.slice(0, 8)} …`
)

const checks = await Promise.all([lint(), run(["dprint", "check"], { quiet: true }), deadCode()])
process.exitCode = [...checks, await test()].every(Boolean) ? 0 : 1
