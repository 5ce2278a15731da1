import { SchemaNotMigrated } from "@community-messaging/storage-sql/SchemaVersion"
import * as Command from "@effect/cli/Command"
import * as FileSystem from "@effect/platform/FileSystem"
import type * as Path from "@effect/platform/Path"
import { Console, Effect } from "effect"
import * as DatabaseUrl from "../configuration/DatabaseUrl.ts"
import * as Setting from "../configuration/Setting.ts"
import { StorageConfiguration, storageFlags } from "../configuration/StorageSettings.ts"
import * as DataDirectory from "../storage/DataDirectory.ts"
import * as UseCaseComposition from "../UseCaseComposition.ts"
import { CommandFailed, type Failure } from "./Failure.ts"

/** Fails if the folder has no database. */
export const requireDatabase = (directory: string) =>
  Effect.gen(function*() {
    const files = yield* FileSystem.FileSystem
    const file = yield* DataDirectory.databaseFile(directory)
    const exists = yield* Effect.mapError(files.exists(file), (error) => DataDirectory.unusable(directory, error))
    if (!exists) return yield* new CommandFailed({ message: `DATA_DIR ${directory} has no database` })
  })

/** The database of the configuration, for people. */
const databaseOf = (configuration: StorageConfiguration): string =>
  configuration.storage === "postgres"
    ? `${DatabaseUrl.location(configuration.database.url)}, schema ${configuration.database.schema}`
    : `DATA_DIR ${configuration.dataDirectory}`

/**
 * Runs a command on the data that the flags and the environment configure. With `existing`, the database must exist;
 * otherwise an empty one is created, and the command says so. An older database is never migrated: only a start does that,
 * and the command `migrate`, because it cannot be undone.
 */
export const run = <E, R>(
  flags: Setting.Flags,
  data: "existing" | "any",
  command: Effect.Effect<void, E, R>
): Effect.Effect<void, E | Failure, Exclude<R, UseCaseComposition.Service> | FileSystem.FileSystem | Path.Path> =>
  Effect.gen(function*() {
    const configuration = yield* Setting.load(StorageConfiguration, flags)
    if (configuration.storage === "memory") {
      return yield* new CommandFailed({
        message: "STORAGE is memory: only the server process can access its data"
      })
    }
    if (data === "existing" && configuration.storage === "sqlite") yield* requireDatabase(configuration.dataDirectory)
    yield* Effect.provide(command, UseCaseComposition.layer({ ...configuration, migrate: false })).pipe(
      Effect.catchIf(
        (error): error is SchemaNotMigrated => error instanceof SchemaNotMigrated && error.found === 0,
        () =>
          Effect.gen(function*() {
            const message = `${databaseOf(configuration)} has no data of this program`
            if (data === "existing") return yield* new CommandFailed({ message })
            if (!configuration.migrate) {
              return yield* new CommandFailed({ message: `${message}: run \`community-messaging migrate\` first` })
            }
            yield* Console.error(`Creating an empty database: ${databaseOf(configuration)}`)
            yield* Effect.provide(command, UseCaseComposition.layer(configuration))
          })
      )
    )
  })

/** The failure of a command whose use case fails: the error's own message, and those of its causes. */
const refused = (error: Error) => new CommandFailed({ message: DataDirectory.messages(error).join(": ") })

const on =
  (data: "existing" | "any") =>
  <Name extends string, const Own extends Command.Command.Config, E extends Error, R>(
    name: Name,
    own: Own,
    handler: (
      given: Command.Command.ParseConfig<{ readonly own: Own; readonly flags: typeof storageFlags }>["own"]
    ) => Effect.Effect<void, E, R>
  ) =>
    Command.make(
      name,
      { own, flags: storageFlags },
      (given) => run(given.flags, data, Effect.mapError(handler(given.own), refused))
    )

/** Makes a command on existing data. It has the flags of the storage besides its own options. */
export const onExisting = on("existing")

/** The same, but an empty database is created if there is none. */
export const onAny = on("any")
