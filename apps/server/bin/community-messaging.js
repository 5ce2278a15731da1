#!/usr/bin/env node
// The file that npm links. It must exist at install time, so it is not compiled.

import { existsSync } from "node:fs"
import { refusal } from "./requirements.js"

const main = new URL("../dist/main.js", import.meta.url)
const bundle = new URL("../bundle/Program.cjs", import.meta.url)
const reason = refusal(process) ??
  ([main, bundle].every((file) => existsSync(file)) ? undefined : "it is not compiled yet: run npm run build first")

if (reason === undefined) await import(main.href)
else {
  console.error(`community-messaging: ${reason}`)
  process.exitCode = 1
}
