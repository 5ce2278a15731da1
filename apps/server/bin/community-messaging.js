#!/usr/bin/env node
// What npm links. It does so at install time and only what is there then, so this is no compiled file.

import { existsSync } from "node:fs"
import { driverWarning, refusal } from "./requirements.js"

const main = new URL("../dist/main.js", import.meta.url)
const reason = refusal(process) ?? (existsSync(main) ? undefined : "it is not compiled yet: run npm run build first")

const warning = driverWarning(process)
if (warning !== undefined) console.error(`community-messaging: ${warning}`)

if (reason === undefined) await import(main.href)
else {
  console.error(`community-messaging: ${reason}`)
  process.exitCode = 1
}
