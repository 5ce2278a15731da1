import { StorageError } from "@community-messaging/domain/shared-kernel/StorageError"
import SqliteDriver from "better-sqlite3"
import { Duration, Effect, type Scope } from "effect"
import { DEFAULT_LOCK_TIMEOUT } from "./ConnectionSettings.ts"

/** Opens a file, which must exist unless the options allow to create it. It is closed with the scope. */
export const open = (
  filename: string,
  options: SqliteDriver.Options
): Effect.Effect<SqliteDriver.Database, StorageError, Scope.Scope> =>
  Effect.acquireRelease(
    Effect.try({
      try: () =>
        new SqliteDriver(filename, {
          fileMustExist: true,
          timeout: Duration.toMillis(DEFAULT_LOCK_TIMEOUT),
          ...options
        }),
      catch: (cause) => new StorageError({ operation: "open the database", cause })
    }),
    (driver) => Effect.sync(() => driver.close())
  )
