import { FileSystem, type Path } from "@effect/platform"
import { Effect } from "effect"
import { StorageConfiguration } from "../configuration/Configuration.ts"
import * as Setting from "../configuration/Setting.ts"
import * as DataDirectory from "../storage/DataDirectory.ts"
import type { Composition, Service } from "./Composition.ts"
import { CommandFailed, type Failure } from "./Failure.ts"

const requireDatabase = (directory: string) =>
  Effect.gen(function*() {
    const files = yield* FileSystem.FileSystem
    const file = yield* DataDirectory.databaseFile(directory)
    if (!(yield* files.exists(file))) {
      return yield* new CommandFailed({
        reason: `DATA_DIR ${directory} holds no database: there is nothing to work on`
      })
    }
  })

/**
 * Runs a command on the data that the flags and the environment name. With `existing` the data must be there already;
 * otherwise an empty database is made.
 */
export const run = <E, R>(
  composition: Composition,
  flags: Setting.Flags,
  data: "existing" | "any",
  command: Effect.Effect<void, E, R>
): Effect.Effect<void, E | Failure, Exclude<R, Service> | FileSystem.FileSystem | Path.Path> =>
  Effect.gen(function*() {
    const configuration = yield* Setting.load(StorageConfiguration, flags)
    if (configuration.storage === "memory") {
      return yield* new CommandFailed({
        reason: "STORAGE is memory, which a server keeps for itself alone: there is nothing to work on"
      })
    }
    if (data === "existing") yield* requireDatabase(configuration.dataDirectory)
    yield* Effect.provide(command, composition.service(configuration))
  })
