import { StorageError } from "@community-messaging/domain/shared-kernel/StorageError"
import { Effect, type Scope } from "effect"
import { open } from "./DatabaseFile.ts"
import { isBusy } from "./SqliteFailure.ts"

/**
 * Keeps a worker number on a database file until the scope closes. Returns false if a service has it, in this process or in
 * another one: both would generate equal ids, and overwrite what the other one created. The lock is that of SQLite on an
 * empty file beside the database, which the operating system releases when the process ends.
 */
export const acquire = (
  database: string,
  worker: number
): Effect.Effect<boolean, StorageError, Scope.Scope> =>
  Effect.flatMap(
    open(`${database}.worker-${worker}.lock`, { fileMustExist: false, timeout: 0 }),
    (driver) =>
      Effect.try({
        try: () => {
          // Otherwise there is a journal beside the file.
          driver.pragma("journal_mode = MEMORY")
          driver.exec("BEGIN EXCLUSIVE")
          return true
        },
        catch: (cause) => new StorageError({ operation: "lock the worker number", cause })
      })
  ).pipe(Effect.catchIf(isBusy, () => Effect.succeed(false)))
