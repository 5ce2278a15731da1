import { FileSystem, type Path } from "@effect/platform"
import { Effect } from "effect"
import * as Setting from "../configuration/Setting.ts"
import { StorageConfiguration } from "../configuration/StorageSettings.ts"
import * as NodeComposition from "../NodeComposition.ts"
import * as DataDirectory from "../storage/DataDirectory.ts"
import { CommandFailed, type Failure } from "./Failure.ts"

/** Fails if the folder has no database. */
export const requireDatabase = (directory: string) =>
  Effect.gen(function*() {
    const files = yield* FileSystem.FileSystem
    const file = yield* DataDirectory.databaseFile(directory)
    const exists = yield* Effect.mapError(files.exists(file), (error) => DataDirectory.unusable(directory, error))
    if (!exists) {
      return yield* new CommandFailed({
        reason: `DATA_DIR ${directory} has no database`
      })
    }
  })

/**
 * Runs a command on the data that the flags and the environment configure. With `existing`, the database must exist;
 * otherwise an empty one is created.
 */
export const run = <E, R>(
  flags: Setting.Flags,
  data: "existing" | "any",
  command: Effect.Effect<void, E, R>
): Effect.Effect<void, E | Failure, Exclude<R, NodeComposition.Service> | FileSystem.FileSystem | Path.Path> =>
  Effect.gen(function*() {
    const configuration = yield* Setting.load(StorageConfiguration, flags)
    if (configuration.storage === "memory") {
      return yield* new CommandFailed({
        reason: "STORAGE is memory: only the server process can access its data"
      })
    }
    if (data === "existing" && configuration.storage === "sqlite") yield* requireDatabase(configuration.dataDirectory)
    yield* Effect.provide(command, NodeComposition.service(configuration))
  })
