import { FileSystem } from "@effect/platform"
import { Effect, Schema } from "effect"

const Package = Schema.parseJson(Schema.Struct({ version: Schema.String }))

/** The version of this program. */
export const read: Effect.Effect<string, never, FileSystem.FileSystem> = Effect.gen(function*() {
  const files = yield* FileSystem.FileSystem
  const text = yield* files.readFileString(new URL("../package.json", import.meta.url).pathname)
  return (yield* Schema.decode(Package)(text)).version
}).pipe(Effect.orDie)
