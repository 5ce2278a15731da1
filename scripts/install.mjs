// Checks the version of Node, and installs the packages of the lockfile if they are not installed.
// usage: node scripts/install.mjs

import { spawnSync } from "node:child_process"
import { fileURLToPath } from "node:url"
import { driverWarning, refusal } from "../apps/server/bin/requirements.js"
import { isInstalled, recordInstalled } from "./installed.mjs"

const root = new URL("..", import.meta.url)

/** Runs a command; prints its output only if it fails, and then ends. */
export const runOrEnd = (command, args = [], options = {}) => {
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
  runOrEnd("npm ci --include=dev --loglevel=error", [], { shell: true })
  recordInstalled()
}

const warning = driverWarning(process)
if (warning !== undefined) console.error(warning)
