import { NodeContext, NodeRuntime } from "@effect/platform-node"
import { Effect } from "effect"
import * as CommandLine from "./command-line/CommandLine.ts"
import { composition } from "./NodeComposition.ts"

/** Runs the command of the process's arguments. */
export const run = (): void =>
  CommandLine.run(composition, process.argv).pipe(
    Effect.provide(NodeContext.layer),
    NodeRuntime.runMain({ disableErrorReporting: true, disablePrettyLogger: true })
  )
