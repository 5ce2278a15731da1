#!/usr/bin/env node

import { driverWarning, refusal } from "../bin/requirements.js"
import * as Bundle from "./Bundle.ts"

// The files that this process creates contain personal data, so only their owner can access them.
process.umask(0o077)

// Without a listener, a signal ends the process, or is lost if the process is the first one of a container. With one, Node
// keeps the signal until the program, which handles it, is loaded.
const SIGNALS = ["SIGINT", "SIGTERM", "SIGHUP"] as const
const keepSignal = () => {}
for (const signal of SIGNALS) process.on(signal, keepSignal)

const say = (text: string): void => console.error(`community-messaging: ${text}`)

const warning = driverWarning(process)
if (warning !== undefined) say(warning)

const reason = refusal(process)
try {
  if (reason === undefined) Bundle.load().run()
  else {
    say(reason)
    process.exitCode = 1
  }
} catch (error) {
  const [cause] = String(error).split("\n")
  say(`cannot be loaded, install it again. ${cause}`)
  process.exitCode = 1
} finally {
  for (const signal of SIGNALS) process.off(signal, keepSignal)
}
