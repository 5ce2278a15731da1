import * as NodeContext from "@effect/platform-node/NodeContext"
import * as NodeRuntime from "@effect/platform-node/NodeRuntime"
import * as Runtime from "@effect/platform/Runtime"
import { Effect, Exit } from "effect"
import * as CommandLine from "./command-line/CommandLine.ts"
import * as ExitCode from "./command-line/ExitCode.ts"
import * as V8Flags from "./V8Flags.ts"

// Runs the command of the process's arguments. This module is the entry of the bundle.

V8Flags.limitHeapGrowth()
V8Flags.disablePretenuring()
// A closed terminal ends the program as SIGTERM does, so that an interrupted command leaves no file.
process.on("SIGHUP", () => process.kill(process.pid, "SIGTERM"))
CommandLine.run(process.argv).pipe(
  Effect.provide(NodeContext.layer),
  NodeRuntime.runMain({
    disableErrorReporting: true,
    disablePrettyLogger: true,
    // A command may have set the exit code of its success or of its interruption.
    teardown: (exit, onExit) =>
      Runtime.defaultTeardown(exit, (code) => {
        const otherwise = Exit.isInterrupted(exit) ? ExitCode.INTERRUPTED : code
        onExit(code === 0 ? Number(process.exitCode ?? otherwise) : code)
      })
  })
)
