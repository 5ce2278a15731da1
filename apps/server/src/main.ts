#!/usr/bin/env node

import { createRequire } from "node:module"

// The files that this process creates contain personal data, so only their owner can access them.
process.umask(0o077)

// This file imports none of the program's modules, so that it can report in one line why the program cannot be loaded.
try {
  // Loads faster by `require` than by `import`, and opens few files at once.
  createRequire(import.meta.url)("../bundle/Program.js")
} catch (error) {
  const [reason] = String(error).split("\n")
  console.error(`community-messaging: cannot be loaded, install it again. ${reason}`)
  process.exitCode = 1
}
