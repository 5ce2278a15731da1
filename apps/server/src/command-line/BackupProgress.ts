import { Effect, Runtime } from "effect"
import type { Progress } from "../storage/Backup.ts"
import * as ProgressLine from "./ProgressLine.ts"

/** Shows the progress of a backup or a restore on a terminal. */
export const make = (what: string) =>
  Effect.gen(function*() {
    const line = yield* ProgressLine.make
    const runSync = Runtime.runSync(yield* Effect.runtime())
    const progress: Progress = {
      copied: ({ copied, total }) => runSync(line.show(() => `${what}: ${ProgressLine.bar(copied, total)}`)),
      checking: Effect.zipRight(line.clear, line.show(() => "Checking the copy: every page and every index"))
    }
    return { line, progress }
  })
