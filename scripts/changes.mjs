// What changed in the working copy, and the lint of that.

import { spawnSync } from "node:child_process"
import { ROOT, run } from "./run.mjs"

const git = (...args) => {
  const { status, stdout } = spawnSync("git", args, { cwd: ROOT, encoding: "utf8" })
  return status === 0 ? stdout.trim() : undefined
}

/** The commit at which this branch left main; on main, the last commit, or the one before it if nothing changed since. */
export const base = () => {
  const head = git("rev-parse", "HEAD")
  const left = git("merge-base", "HEAD", "main") ?? git("merge-base", "HEAD", "origin/main")
  if (left !== undefined && left !== head) return left
  return git("status", "--porcelain") === "" ? git("rev-parse", "HEAD~1") : head
}

/** The files that a command of Git lists; none without Git. */
export const listed = (...args) => (git(...args) ?? "").split("\n").filter((line) => line !== "")

/** The files that changed since that commit, also new ones, but not removed ones. */
export const changedSince = (commit = "HEAD") => [
  ...listed("diff", "--name-only", "--diff-filter=d", commit),
  ...listed("ls-files", "--others", "--exclude-standard")
]

const LINT = ["oxlint", "-c", "oxlint.config.mjs"]

/** Lints these files; all files if a rule may have changed. */
export const lint = async (changed, options) => {
  const files = changed.filter((file) => /\.(?:ts|mjs|js)$/.test(file))
  if (files.includes("oxlint.config.mjs")) return run(LINT, options)
  return files.length === 0 || run([...LINT, ...files], options)
}

/** Lints all files. */
export const lintAll = (options) => run(LINT, options)
