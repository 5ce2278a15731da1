// Runs a command of the bundled program. If it succeeds, writes the code cache with the functions that it has called.
// usage: node apps/server/scripts/code-cache.mjs

import { renameSync, rmSync, writeFileSync } from "node:fs"
import { createRequire } from "node:module"
import { CODE_CACHE, load } from "../dist/Bundle.js"

// V8 uses a code cache only with the flags with which it was made. The program sets some, after it was loaded.
createRequire(import.meta.url)("node:v8").setFlagsFromString = () => {}

const program = load()
process.on("exit", (code) => {
  if (code !== 0) return
  const file = `${CODE_CACHE}.${process.pid}`
  try {
    writeFileSync(file, program.makeCodeCache())
    renameSync(file, CODE_CACHE)
  } catch (error) {
    rmSync(file, { force: true })
    process.stderr.write(`The program starts more slowly, because its code cache cannot be written: ${String(error)}\n`)
  }
})
process.argv.splice(2, Number.POSITIVE_INFINITY, "--version")
program.run()
