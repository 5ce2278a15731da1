#!/usr/bin/env node
// What npm links. It does so at install time and only what is there then, so this is no compiled file.

import { existsSync } from "node:fs"

const main = new URL("../dist/main.js", import.meta.url)

if (existsSync(main)) await import(main.href)
else {
  console.error("community-messaging: it is not compiled yet: run npm run build first")
  process.exitCode = 1
}
