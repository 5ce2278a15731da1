#!/usr/bin/env node

import * as Bundle from "./Bundle.ts"

// The files that this process creates contain personal data, so only their owner can access them.
process.umask(0o077)

// Without a listener, a signal ends the process, or is lost if the process is the first one of a container. With one, Node
// keeps the signal until the program, which handles it, is loaded.
const SIGNALS = ["SIGINT", "SIGTERM", "SIGHUP"] as const
const keepSignal = () => {}
for (const signal of SIGNALS) process.on(signal, keepSignal)

try {
  Bundle.load().run()
} catch (error) {
  const [reason] = String(error).split("\n")
  console.error(`community-messaging: cannot be loaded, install it again. ${reason}`)
  process.exitCode = 1
} finally {
  for (const signal of SIGNALS) process.off(signal, keepSignal)
}
