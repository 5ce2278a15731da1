import { StorageError } from "@community-messaging/domain/shared-kernel/StorageError"
import SqliteDriver from "better-sqlite3"
import { Duration, Effect, type Scope } from "effect"
import { closeSync, existsSync, openSync } from "node:fs"
import { DEFAULT_LOCK_TIMEOUT } from "./ConnectionSettings.ts"

/** Only the owner may read the file, because it contains personal data. */
const OWNER_ONLY = 0o600

/** Creates the file unless it exists. SQLite gives its mode also to the files beside it. */
const create = (filename: string): void => {
  if (filename !== "" && filename !== ":memory:" && !existsSync(filename)) {
    closeSync(openSync(filename, "a", OWNER_ONLY))
  }
}

/**
 * Opens a file, which must exist unless the options allow to create it, then for its owner only. It is closed with the scope.
 */
export const open = (
  filename: string,
  options: SqliteDriver.Options
): Effect.Effect<SqliteDriver.Database, StorageError, Scope.Scope> =>
  Effect.acquireRelease(
    Effect.try({
      try: () => {
        const { fileMustExist = true, readonly = false } = options
        // The driver ignores white space around the name.
        if (!fileMustExist && !readonly) create(filename.trim())
        return new SqliteDriver(filename, {
          timeout: Duration.toMillis(DEFAULT_LOCK_TIMEOUT),
          ...options,
          fileMustExist
        })
      },
      catch: (cause) => new StorageError({ operation: "open the database", cause })
    }),
    (driver) => Effect.sync(() => driver.close())
  )
