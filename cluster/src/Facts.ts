import * as FileSystem from "@effect/platform/FileSystem"
import { Effect, Schema } from "effect"

/** The facts of the server's demo that this program needs. */
export const Facts = Schema.Struct({
  admin_key: Schema.String,
  webhook: Schema.Struct({ id: Schema.String, token: Schema.String })
})
export type Facts = typeof Facts.Type

/** Reads the facts that the server with the demo has written to its data directory. */
export const read = (directory: string) =>
  Effect.flatMap(
    Effect.flatMap(FileSystem.FileSystem, (files) => files.readFileString(`${directory}/demo.json`)),
    Schema.decode(Schema.parseJson(Facts))
  )
