import { Predicate } from "effect"

/** A failure that the driver may have caused. */
interface Failure {
  readonly cause?: unknown
}

/** Returns SQLite's extended result code, such as `SQLITE_BUSY_SNAPSHOT`; empty if SQLite did not cause the failure. */
const resultCode = ({ cause }: Failure): string =>
  Predicate.hasProperty(cause, "code") && Predicate.isString(cause.code) ? cause.code : ""

/** Returns whether another connection holds the lock. */
export const isBusy = (failure: Failure): boolean => resultCode(failure).startsWith("SQLITE_BUSY")

/**
 * Returns whether SQLite may have rolled back the whole transaction (SQLite, "Response To Errors Within A
 * Transaction").
 */
export const mayHaveRolledBack = (failure: Failure): boolean =>
  /^SQLITE_(FULL|IOERR|NOMEM|BUSY|INTERRUPT)/.test(resultCode(failure))

/** Returns whether a disk is full: that of the database, or that of temporary files. */
export const isFull = (failure: Failure): boolean => resultCode(failure) === "SQLITE_FULL"

/** Returns whether the content of the file caused the failure: other failures leave an intact file intact. */
export const isDamage = (failure: Failure): boolean => /^SQLITE_(CORRUPT|NOTADB)/.test(resultCode(failure))

/** Returns whether the failure violates the unique constraint of the column. */
export const isTaken = (failure: Failure, table: string, column: string): boolean =>
  resultCode(failure) === "SQLITE_CONSTRAINT_UNIQUE" &&
  Predicate.isError(failure.cause) &&
  failure.cause.message.endsWith(`: ${table}.${column}`)
