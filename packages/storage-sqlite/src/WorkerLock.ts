import { StorageError } from "@community-messaging/domain/shared-kernel/StorageError"
import { Effect, type Scope } from "effect"
import { mkdirSync } from "node:fs"
import { basename, dirname, join } from "node:path"
import { open } from "./DatabaseFile.ts"
import { isBusy } from "./SqliteFailure.ts"

/** The name that the server gives its database. It keeps its numbers in the folder `workers` beside it. */
const OF_SERVER = "community-messaging.sqlite"

/** The file whose lock keeps the number. It is created with its folder; no process may ever remove it. */
const lockFile = (database: string, worker: number) =>
  Effect.try({
    try: () => {
      if (basename(database) !== OF_SERVER) return `${database}.worker-${worker}.lock`
      const folder = join(dirname(database), "workers")
      mkdirSync(folder, { recursive: true, mode: 0o700 })
      return join(folder, `${worker}.lock`)
    },
    catch: (cause) => new StorageError({ operation: "make the folder of the locks", cause })
  })

/**
 * Keeps a worker number on a database file until the scope closes. Returns false if a service has it, in this process or in
 * another one, or a server whose database it is: both would generate equal ids, and overwrite what the other one created. The
 * lock is that of SQLite on an empty file, which the operating system releases when the process ends.
 */
export const acquire = (
  database: string,
  worker: number
): Effect.Effect<boolean, StorageError, Scope.Scope> =>
  lockFile(database, worker).pipe(
    Effect.flatMap((file) => open(file, { fileMustExist: false, timeout: 0 })),
    Effect.flatMap((driver) =>
      Effect.try({
        try: () => {
          // Otherwise there is a journal beside the file.
          driver.pragma("journal_mode = MEMORY")
          driver.exec("BEGIN EXCLUSIVE")
          return true
        },
        catch: (cause) => new StorageError({ operation: "lock the worker number", cause })
      })
    ),
    Effect.catchIf(isBusy, () => Effect.succeed(false))
  )
