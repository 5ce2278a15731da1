#!/usr/bin/env node
import { NodeContext, NodeRuntime } from "@effect/platform-node"
import { Effect } from "effect"
import * as CommandLine from "./command-line/CommandLine.ts"
import { composition } from "./NodeComposition.ts"

// Files made here hold personal data: they are for their owner alone.
process.umask(0o077)

CommandLine.run(composition, process.argv).pipe(
  Effect.provide(NodeContext.layer),
  NodeRuntime.runMain({ disableErrorReporting: true, disablePrettyLogger: true })
)
