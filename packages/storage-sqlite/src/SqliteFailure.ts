import type { SqlFailure } from "@community-messaging/storage-sql/SqlFailure"
import { Predicate } from "effect"

/** SQLite's extended result code, such as `SQLITE_BUSY_SNAPSHOT`; empty where the failure is none of SQLite's. */
const resultCode = ({ cause }: SqlFailure): string =>
  Predicate.hasProperty(cause, "code") && Predicate.isString(cause.code) ? cause.code : ""

/** Another connection holds the lock. */
export const isBusy = (failure: SqlFailure): boolean => resultCode(failure).startsWith("SQLITE_BUSY")

/** Whether SQLite may have undone the whole transaction by itself (SQLite, "Response To Errors Within A Transaction"). */
export const mayHaveRolledBack = (failure: SqlFailure): boolean =>
  /^SQLITE_(FULL|IOERR|NOMEM|BUSY|INTERRUPT)/.test(resultCode(failure))

/** Whether the value violates the uniqueness of that column of the table. */
export const isTaken = (failure: SqlFailure, table: string, column: string): boolean =>
  resultCode(failure) === "SQLITE_CONSTRAINT_UNIQUE" &&
  Predicate.isError(failure.cause) &&
  failure.cause.message.endsWith(`: ${table}.${column}`)
