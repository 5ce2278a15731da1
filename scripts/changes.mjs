// What changed in the working copy, and the lint of that.

import { spawnSync } from "node:child_process"
import { fileURLToPath } from "node:url"
import { run } from "./run.mjs"

const ROOT = fileURLToPath(new URL("..", import.meta.url))

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

const lines = (text = "") => text.split("\n").filter((line) => line !== "")

/** The files that changed since that commit, also new ones, but not removed ones. */
export const changedSince = (commit = "HEAD") => [
  ...lines(git("diff", "--name-only", "--diff-filter=d", commit)),
  ...lines(git("ls-files", "--others", "--exclude-standard"))
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
