#!/usr/bin/env node
import { NodeContext, NodeRuntime } from "@effect/platform-node"
import { Effect } from "effect"
import * as CommandLine from "./command-line/CommandLine.ts"
import { composition } from "./NodeComposition.ts"

// The files that this process creates contain personal data, so only their owner can access them.
process.umask(0o077)

CommandLine.run(composition, process.argv).pipe(
  Effect.provide(NodeContext.layer),
  NodeRuntime.runMain({ disableErrorReporting: true, disablePrettyLogger: true })
)
