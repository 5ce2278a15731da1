import * as FileSystem from "@effect/platform/FileSystem"
import { Effect } from "effect"

/**
 * Runs the effect on the real files. Returns the files that it renamed, and the files and folders that it made durable, in
 * order.
 */
export const recorded = <A, E, R>(effect: Effect.Effect<A, E, R>) =>
  Effect.gen(function*() {
    const files = yield* FileSystem.FileSystem
    const steps: Array<readonly ["rename" | "sync", string]> = []
    const open: typeof files.open = (path, options) =>
      Effect.map(files.open(path, options), (file) => {
        const sync = Effect.tap(file.sync, () => Effect.sync(() => steps.push(["sync", path])))
        return Object.defineProperty(file, "sync", { value: sync })
      })
    const rename: typeof files.rename = (from, to) =>
      Effect.tap(files.rename(from, to), () => Effect.sync(() => steps.push(["rename", from])))
    yield* Effect.provideService(effect, FileSystem.FileSystem, { ...files, open, rename })
    return steps
  })
