import { StorageError } from "@community-messaging/domain/StorageError"
import type { SqlError } from "@effect/sql"
import { Effect, Predicate } from "effect"

/** SQLite's extended result code, such as `SQLITE_BUSY_SNAPSHOT`; empty where the failure is none of SQLite's. */
export const resultCode = (error: SqlError.SqlError): string =>
  Predicate.hasProperty(error.cause, "code") && Predicate.isString(error.cause.code) ? error.cause.code : ""

/** Another connection holds the lock. */
export const isBusy = (error: SqlError.SqlError): boolean => resultCode(error).startsWith("SQLITE_BUSY")

/** Whether SQLite may have undone the whole transaction by itself (SQLite, "Response To Errors Within A Transaction"). */
export const mayHaveRolledBack = (error: SqlError.SqlError): boolean =>
  /^SQLITE_(FULL|IOERR|NOMEM|BUSY|INTERRUPT)/.test(resultCode(error))

/** Whether the value is taken that must be unique in that column, named as `table.column`. */
export const isTaken = (error: SqlError.SqlError, column: string): boolean =>
  resultCode(error) === "SQLITE_CONSTRAINT_UNIQUE" &&
  Predicate.isError(error.cause) &&
  error.cause.message.endsWith(`: ${column}`)

/** A failure of SQLite under the name of what was attempted. SQLite's messages name tables and columns, never values. */
export const storageError = (operation: string, cause: SqlError.SqlError): StorageError =>
  new StorageError({ operation, cause })

/** Names what is attempted, for the case that it fails. */
export const attempt =
  (operation: string) =>
  <A, R>(effect: Effect.Effect<A, SqlError.SqlError | StorageError, R>): Effect.Effect<A, StorageError, R> =>
    Effect.mapError(effect, (error) => error._tag === "StorageError" ? error : storageError(operation, error))
