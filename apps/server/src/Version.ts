import * as FileSystem from "@effect/platform/FileSystem"
import { Effect, Schema } from "effect"
import { fileURLToPath } from "node:url"
import { FOLDER } from "./PackageFolder.ts"

const Package = Schema.parseJson(Schema.Struct({ version: Schema.String }))

/** The version of this program. */
export const read: Effect.Effect<string, never, FileSystem.FileSystem> = Effect.gen(function*() {
  const files = yield* FileSystem.FileSystem
  const text = yield* files.readFileString(fileURLToPath(new URL("package.json", FOLDER)))
  return (yield* Schema.decode(Package)(text)).version
}).pipe(Effect.orDie)
