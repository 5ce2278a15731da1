// Starts the bundled program as a server and stops it. If that succeeds, writes the code cache with the functions that it has
// called. usage: node apps/server/scripts/code-cache.mjs

import { mkdtempSync, renameSync, rmSync, writeFileSync } from "node:fs"
import { createRequire } from "node:module"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { CODE_CACHE, load } from "../dist/Bundle.js"

// V8 uses a code cache only with the flags with which it was made. The program sets some, after it was loaded.
createRequire(import.meta.url)("node:v8").setFlagsFromString = () => {}

const print = process.stderr.write.bind(process.stderr)

/** Without a code cache, the program works. */
const warn = (error) =>
  print(`The program starts more slowly, because its code cache cannot be written: ${String(error)}\n`)

const write = (content) => {
  const file = `${CODE_CACHE}.${process.pid}`
  try {
    writeFileSync(file, content)
    renameSync(file, CODE_CACHE)
  } catch (error) {
    rmSync(file, { force: true })
    warn(error)
  }
}

const program = load()

/** Serves with the data in that folder, which it removes at the end. */
const serve = (dataDirectory) => {
  // Without the variables of the shell, which may be settings of the program.
  process.env = { DATA_DIR: dataDirectory, HOST: "127.0.0.1", PORT: "0" }
  process.argv.splice(2, Number.POSITIVE_INFINITY, "serve")

  const logged = []
  let isListening = false
  // The log of the server is printed only if it fails.
  process.stderr.write = (text) => {
    logged.push(text)
    if (!isListening && String(text).includes("Listening on")) {
      isListening = true
      process.kill(process.pid, "SIGTERM")
    }
    return true
  }

  process.on("exit", (code) => {
    rmSync(dataDirectory, { recursive: true, force: true })
    if (code === 0 && isListening) return write(program.makeCodeCache())
    print(logged.join(""))
    process.exitCode = 1
  })
  program.run()
}

let dataDirectory
try {
  dataDirectory = mkdtempSync(join(tmpdir(), "code-cache-"))
} catch (error) {
  warn(error)
}
if (dataDirectory !== undefined) serve(dataDirectory)
