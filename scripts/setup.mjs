// Prepares a clone: installs the packages of the lockfile if they are not installed, compiles, and bundles the program.
// usage: node scripts/setup.mjs [project …]     compiles all projects with sources by default
//        node scripts/setup.mjs --only-install  compiles nothing

import { spawnSync } from "node:child_process"
import { existsSync, readFileSync } from "node:fs"
import { fileURLToPath } from "node:url"
import { driverWarning, refusal } from "../apps/server/bin/requirements.js"
import { isInstalled, recordInstalled } from "./installed.mjs"

const root = new URL("..", import.meta.url)

/** Runs a command; prints its output only if it fails. */
const run = (command, args = [], options = {}) => {
  const { error, signal, status, stderr, stdout } = spawnSync(command, args, {
    cwd: fileURLToPath(root),
    encoding: "utf8",
    maxBuffer: Number.POSITIVE_INFINITY,
    stdio: ["inherit", "pipe", "pipe"],
    ...options
  })
  if (status !== 0) process.stderr.write(`${stdout ?? ""}${stderr ?? ""}${error ?? ""}\n`)
  if (signal !== null) process.kill(process.pid, signal)
  if (status !== 0) process.exit(status ?? 1)
}

const reason = refusal(process)
if (reason !== undefined) {
  console.error(reason)
  process.exit(1)
}

if (!isInstalled()) {
  console.log("Installing packages. This happens once and takes a minute or two …")
  run("npm ci --include=dev --loglevel=error", [], { shell: true })
  recordInstalled()
}

const given = process.argv.slice(2)
if (given.includes("--only-install")) process.exit(0)

const warning = driverWarning(process)
if (warning !== undefined) console.error(warning)

if (!existsSync(new URL("apps/server/dist/main.js", root))) console.log("Compiling …")
const { references } = JSON.parse(readFileSync(new URL("tsconfig.json", root), "utf8"))
// The project of the tests is left out: nothing is compiled from it, and `npm test` checks it beside the tests.
const withSources = references.map(({ path }) => path).filter((path) => path !== "tsconfig.test.json")
const projects = given.length === 0 ? withSources : given
// One checker for each project: several check what they share once more each, and the projects are built side by side anyway.
run(process.execPath, ["node_modules/typescript/bin/tsc", "-b", "--checkers", "1", ...projects])

/** The projects that have the program, or start it. */
const WITH_PROGRAM = new Set(["apps/server", "attack", "bench", "cluster"])
if (projects.some((project) => WITH_PROGRAM.has(project))) {
  run(process.execPath, ["apps/server/scripts/bundle.mjs"])
}
