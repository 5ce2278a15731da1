import { Schema } from "effect"
import { fileURLToPath } from "node:url"
import { type LoadOrder, LoadResult } from "./Load.ts"
import * as Process from "./Process.ts"

const loadProgram = fileURLToPath(new URL("LoadProcess.js", import.meta.url))

/** Starts a load generator for the community. An unexpected status fails the order. */
export const start = (factsFile: string, core: Process.Core = "load") => {
  const child = Process.start(core, [loadProgram, factsFile])
  return {
    stop: () => Process.stop(child),
    run: async (order: LoadOrder): Promise<LoadResult> => {
      child.send(order)
      const result = Schema.decodeUnknownSync(LoadResult)(await Process.nextMessage(child))
      if (result.failures > 0) {
        throw new Error(
          `${result.failures} requests of ${order.operation} failed, with status ${result.failedStatuses.join(", ")}.`
        )
      }
      return result
    }
  }
}
