// Prepares a clone: installs the packages of the lockfile if they are not installed, then compiles.
// usage: node scripts/setup.mjs [project …]     compiles all projects by default

import { spawnSync } from "node:child_process"
import { fileURLToPath } from "node:url"
import { refusal } from "../apps/server/bin/requirements.js"
import { isInstalled, recordInstalled } from "./installed.mjs"

const run = (command, args = [], options = {}) => {
  const { signal, status } = spawnSync(command, args, {
    cwd: fileURLToPath(new URL("..", import.meta.url)),
    stdio: "inherit",
    ...options
  })
  if (signal !== null) process.kill(process.pid, signal)
  if (status !== 0) process.exit(status ?? 1)
}

const reason = refusal(process)
if (reason !== undefined) {
  console.error(reason)
  process.exit(1)
}

if (!isInstalled()) {
  console.log("Installing dependencies (once; the SQLite driver may be compiled, which takes a minute or two) …")
  run("npm ci --include=dev --loglevel=error", [], { shell: true })
  recordInstalled()
}

console.log("Compiling …")
run(process.execPath, ["node_modules/typescript/bin/tsc", "-b", ...process.argv.slice(2)])
