// Runs a command of the bundled program, and writes the code cache with the functions that the command has called.
// usage: node apps/server/scripts/code-cache.mjs

import { renameSync, writeFileSync } from "node:fs"
import { createRequire } from "node:module"
import { CODE_CACHE, load } from "../dist/Bundle.js"

// V8 uses a code cache only with the flags with which it was made. The program sets some, after it was loaded.
createRequire(import.meta.url)("node:v8").setFlagsFromString = () => {}

const program = load()
process.on("exit", () => {
  const file = `${CODE_CACHE}.${process.pid}`
  writeFileSync(file, program.makeCodeCache(), { mode: 0o644 })
  renameSync(file, CODE_CACHE)
})
process.argv.splice(2, Number.POSITIVE_INFINITY, "--version")
program.run()
