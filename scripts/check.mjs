// npm run check [-- COMMIT]: checks what changed since that commit; by default, since this branch left main, or on main
// since the last commit. What takes minutes is tested only where a file of it changed.

import { spawn, spawnSync } from "node:child_process"
import { existsSync, readdirSync } from "node:fs"
import { fileURLToPath } from "node:url"

process.chdir(fileURLToPath(new URL("..", import.meta.url)))

/** Projects of Vitest whose tests need a disk, a server or packed packages. All others are quick. */
const SLOW = new Set(["storage-sqlite", "server", "client", "conformance", "attack", "cluster", "release"])

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

/** Resolves to whether the command succeeds. Prints at once what it prints, or only a failure, at its end. */
const run = (args, { quiet = false } = {}) =>
  new Promise((resolve) => {
    const command = spawn("npx", ["--no-install", ...args], {
      shell: process.platform === "win32",
      stdio: quiet ? ["ignore", "pipe", "pipe"] : "inherit"
    })
    const printed = []
    for (const stream of [command.stdout, command.stderr]) stream?.on("data", (data) => printed.push(data))
    command.on("close", (status) => {
      if (status !== 0) process.stderr.write(Buffer.concat(printed))
      resolve(status === 0)
    })
  })

const lint = () => {
  const files = changed.filter((file) => /\.(?:ts|mjs|js)$/.test(file))
  if (files.includes("oxlint.config.mjs")) return run(["oxlint", "-c", "oxlint.config.mjs"], { quiet: true })
  return files.length === 0 || run(["oxlint", "-c", "oxlint.config.mjs", ...files], { quiet: true })
}

/** The tests beside a changed file of a slow package: those of its folder, or of its name where it is in no folder. */
const besides = (file) => {
  const place = /^(?<project>(?:apps|packages)\/(?<name>[^/]+))\/(?<kind>src|test)\/(?<path>.+)\.ts$/.exec(file)?.groups
  if (place === undefined || !SLOW.has(place.name)) return []
  if (place.kind === "test") return place.path.endsWith(".test") ? [file] : []
  const folder = place.path.slice(0, place.path.lastIndexOf("/") + 1)
  const tests = `${place.project}/test/${folder === "" ? `${place.path}.test.ts` : folder}`
  return existsSync(tests) ? [tests] : []
}

console.log(
  `Checking ${changed.length} files that changed since ${since === undefined ? "the beginning" : since.slice(0, 8)} …`
)

const checks = await Promise.all([lint(), run(["dprint", "check"], { quiet: true }), run(["knip"], { quiet: true })])
const quick = [...readdirSync("packages").filter((name) => !SLOW.has(name)), "repository"]
const selection = since === undefined ? [] : ["--changed", since]
if (changed.length > 0) {
  checks.push(await run(["vitest", "run", "--reporter=dot", ...selection, ...quick.map((name) => `--project=${name}`)]))
  const beside = [...new Set(changed.flatMap(besides))]
  if (beside.length > 0) checks.push(await run(["vitest", "run", "--reporter=dot", ...beside]))
}
console.log(`Not tested here, but by npm test: what else ${[...SLOW].join(", ")} have.`)
process.exitCode = checks.every(Boolean) ? 0 : 1
