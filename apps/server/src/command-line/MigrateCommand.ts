import * as Command from "@effect/cli/Command"
import { Console, Effect } from "effect"
import * as Setting from "../configuration/Setting.ts"
import { StorageConfiguration, storageFlags } from "../configuration/StorageSettings.ts"
import * as ProgramPart from "../ProgramPart.ts"
import * as Storage from "../storage/Storage.ts"
import { CommandFailed } from "./Failure.ts"

const migrate = (configuration: StorageConfiguration) => {
  switch (configuration.storage) {
    case "memory":
      return new CommandFailed({ message: "STORAGE is memory: there is nothing to migrate" })
    case "sqlite":
      return Storage.migrateSqlite(configuration.dataDirectory)
    case "postgres":
      return Effect.flatMap(
        ProgramPart.load(() => import("../storage/PostgresStorage.ts")),
        (loaded) => loaded.migrate(configuration.database)
      )
  }
}

/** The command `migrate`. */
export const command = Command.make("migrate", { flags: storageFlags }, ({ flags }) =>
  Effect.gen(function*() {
    const { database, from, to } = yield* migrate(yield* Setting.load(StorageConfiguration, flags))
    yield* Console.error(
      from === to
        ? `${database}: the schema has version ${to} already.`
        : `${database}: the schema has version ${to}. Before, it had version ${from}.`
    )
  })).pipe(
    Command.withDescription(
      "Create or update the tables without a start of the server. With MIGRATE=off, only this command migrates."
    )
  )
