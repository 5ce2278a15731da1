#!/usr/bin/env node

// The files that this process creates contain personal data, so only their owner can access them.
process.umask(0o077)

// This file imports nothing else, so that it can report in one line why the program cannot be loaded. Node reports a limit
// of open files that is too low in several ways, also as a missing module.
try {
  const { run } = await import("./Program.ts")
  run()
} catch (error) {
  const [reason] = String(error).split("\n")
  console.error(
    `community-messaging: cannot be loaded: allow 1024 open files (ulimit -n 1024), or install it again. ${reason}`
  )
  process.exitCode = 1
}
