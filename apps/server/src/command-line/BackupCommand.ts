import * as Command from "@effect/cli/Command"
import * as Options from "@effect/cli/Options"
import * as FileSystem from "@effect/platform/FileSystem"
import { Console, Effect, Runtime } from "effect"
import * as Setting from "../configuration/Setting.ts"
import { type DatabaseConfiguration, StorageConfiguration, storageFlags } from "../configuration/StorageSettings.ts"
import * as Backup from "../storage/Backup.ts"
import * as Restore from "../storage/Restore.ts"
import * as DataCommand from "./DataCommand.ts"
import { CommandFailed } from "./Failure.ts"
import { fileArgument } from "./Flags.ts"
import * as ProgressLine from "./ProgressLine.ts"

/** Copies one schema. A restore of a copy of the whole database would also replace the schemas of other services. */
const dumpOf = ({ schema }: DatabaseConfiguration): string => `pg_dump --format=custom --schema=${schema}`

/** The folder of the data. Memory has none, and PostgreSQL has its own programs. */
const directoryOf = (flags: Setting.Flags, instead: (dump: string) => string) =>
  Effect.flatMap(Setting.load(StorageConfiguration, flags), (configuration) => {
    switch (configuration.storage) {
      case "memory":
        return new CommandFailed({ message: "STORAGE is memory: its data ends with the process, and has no backup" })
      case "postgres":
        return new CommandFailed({ message: `STORAGE is postgres: use ${instead(dumpOf(configuration.database))}` })
      case "sqlite":
        return Effect.succeed(configuration.dataDirectory)
    }
  })

const backupInstead = (dump: string): string =>
  `${dump} DATABASE_URL, as the role that migrates, for a copy of the data, or pg_basebackup for the whole server`

const restoreInstead = (dump: string): string =>
  `pg_restore --clean --if-exists for a file of ${dump}, with all servers stopped`

const refuseStandardStream = (file: string) =>
  file === "-"
    ? new CommandFailed({ message: "a backup is a file: - is for import and export" })
    : Effect.void

/** Shows the progress of a backup or a restore on a terminal. */
const makeProgress = (what: string) =>
  Effect.gen(function*() {
    const show = yield* ProgressLine.make
    const runSync = Runtime.runSync(yield* Effect.runtime())
    const progress: Backup.Progress = {
      copied: ({ copied, total }) => runSync(show(what, () => ProgressLine.bar(copied, total))),
      checking: show("Checking the copy", () => "every page and every index")
    }
    return progress
  })

const megabytes = (bytes: bigint): string => `${ProgressLine.number(Math.ceil(Number(bytes) / 1e6))} MB`

/** The command `backup`. */
export const backup = Command.make("backup", {
  file: fileArgument("File to write."),
  force: Options.boolean("force").pipe(Options.withDescription("Replace the file if it exists.")),
  flags: storageFlags
}, ({ file, flags, force }) =>
  Effect.scoped(Effect.gen(function*() {
    yield* refuseStandardStream(file)
    const directory = yield* directoryOf(flags, backupInstead)
    yield* DataCommand.requireDatabase(directory)
    const files = yield* FileSystem.FileSystem
    const progress = yield* makeProgress("Copying")
    const version = yield* Effect.onInterrupt(
      Backup.run(directory, file, { replace: force }, progress),
      () => Console.error("Interrupted: there is no backup.")
    )
    const { size } = yield* files.stat(file)
    yield* Console.error(`${file}: a backup of ${megabytes(size)}, schema version ${version}, checked.`)
  }))).pipe(
    Command.withDescription("Write a backup of the database to a file, also while a server uses it.")
  )

/** The command `restore`. */
export const restore = Command.make("restore", {
  file: fileArgument("A file that `backup` wrote."),
  flags: storageFlags
}, ({ file, flags }) =>
  Effect.scoped(Effect.gen(function*() {
    yield* refuseStandardStream(file)
    const directory = yield* directoryOf(flags, restoreInstead)
    const progress = yield* makeProgress("Restoring")
    const { replaced, version } = yield* Effect.onInterrupt(
      Restore.run(directory, file, progress),
      () => Console.error("Interrupted: nothing was replaced.")
    )
    const old = replaced._tag === "Some"
      ? ` The replaced database is ${replaced.value}: remove it when the server works, because it has personal data.`
      : ""
    yield* Console.error(
      `DATA_DIR ${directory} has the data of ${file}, schema version ${version}.${old} Now start the server.`
    )
  }))).pipe(Command.withDescription("Replace the database with a backup. Stop the server first."))
