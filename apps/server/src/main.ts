#!/usr/bin/env node

import * as Bundle from "./Bundle.ts"

// The files that this process creates contain personal data, so only their owner can access them.
process.umask(0o077)

try {
  Bundle.load().run()
} catch (error) {
  const [reason] = String(error).split("\n")
  console.error(`community-messaging: cannot be loaded, install it again. ${reason}`)
  process.exitCode = 1
}
