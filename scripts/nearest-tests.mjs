// The tests beside a change, by the names of its files.

import { existsSync } from "node:fs"
import { join, posix } from "node:path"
import { listed } from "./changes.mjs"
import { ROOT } from "./run.mjs"

/** All test files, without those that Git ignores, and those of the examples, which tests of the repository run. */
const tests = () =>
  listed("ls-files", "--cached", "--others", "--exclude-standard", "*.test.ts")
    .filter((file) => !file.startsWith("examples/") && existsSync(join(ROOT, file)))

const nameOf = (file) => posix.basename(file).replace(/(?:(?:\.system)?\.test)?\.ts$/, "")

/** The folder within the sources or tests of a package; undefined for a file outside such folders. */
const folderOf = (file) => /\/(?:src|test)\/(?:.+\/)?([^/]+)\/[^/]+\.ts$/.exec(file)?.[1]

/**
 * The tests of a change of those files: changed tests, then those with the name of a changed file, then those in a folder with
 * the name of its folder.
 */
export const nearestTests = (changed) => {
  const names = new Set(changed.filter((file) => file.endsWith(".ts")).map(nameOf))
  const folders = new Set(changed.map(folderOf).filter((folder) => folder !== undefined))
  // It reads all pages.
  const pageTests = changed.some((file) => file.endsWith(".md")) ? ["test/Documents.test.ts"] : []
  const nearness = [
    (test) => [...changed, ...pageTests].includes(test),
    (test) => names.has(nameOf(test)),
    (test) => folders.has(folderOf(test))
  ]
  const all = tests()
  return [...new Set(nearness.flatMap((isNear) => all.filter(isNear)))]
}
