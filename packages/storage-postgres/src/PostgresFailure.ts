import type { SqlFailure } from "@community-messaging/storage-sql/SqlFailure"
import { Predicate } from "effect"
import { DatabaseError } from "pg"

/** The failure of a statement. It contains no values of rows or parameters, unlike the driver's error. */
export class PostgresFailure extends Error {
  override readonly name: string
  /** The SQLSTATE (PostgreSQL, "PostgreSQL Error Codes"), the system's code, or the driver's message, such as a timeout. */
  readonly code: string
  readonly table: string | undefined
  readonly constraint: string | undefined

  /** `statement` is what failed, if the failure is reported by a later statement. */
  constructor(message: string, { code = "", constraint, statement, table }: {
    readonly code?: string
    readonly table?: string | undefined
    readonly constraint?: string | undefined
    readonly statement?: string | undefined
  } = {}) {
    super(message)
    this.name = statement === undefined ? "PostgresFailure" : `PostgresFailure of ${statement}`
    this.code = code
    this.table = table
    this.constraint = constraint
  }
}

/** The class of errors whose messages contain values: data exceptions, such as an invalid number. */
const DATA_EXCEPTION = "22"

const WRITE = /\b(?:INSERT INTO|UPDATE|DELETE FROM)\s+\w+/

/** The kind and the table of a statement that writes. */
const nameOf = (text: string): string | undefined => WRITE.exec(text)?.[0]

/** Converts an error of the driver. `failed` is the text of the statement, if a later one reports the failure. */
export const of = (cause: unknown, failed = ""): PostgresFailure => {
  if (cause instanceof PostgresFailure) return cause
  const statement = nameOf(failed)
  if (cause instanceof DatabaseError) {
    const { code = "", constraint, message, table } = cause
    return new PostgresFailure(code.startsWith(DATA_EXCEPTION) ? "A value does not fit its column" : message, {
      code,
      constraint,
      statement,
      table
    })
  }
  // Errors of other types, such as of a value that cannot be parsed, may quote the value.
  const message = Predicate.isError(cause) && cause.name === "Error" ? cause.message : ""
  const code = Predicate.hasProperty(cause, "code") && Predicate.isString(cause.code) ? cause.code : message
  const name = Predicate.isError(cause) ? cause.name : ""
  return new PostgresFailure([message, code, name].find((text) => text !== "") ?? "", { code, statement })
}

const codeOf = ({ cause }: { readonly cause?: unknown }): string => cause instanceof PostgresFailure ? cause.code : ""

/** Returns whether the transaction failed only because of concurrent ones, so that it can be run again. */
export const isRetryable = (failure: SqlFailure): boolean => ["40001", "40P01"].includes(codeOf(failure))

/** Returns whether a statement did not get a lock: it waited too long, or its wait was part of a deadlock. */
export const isLocked = (failure: { readonly cause?: unknown }): boolean => ["55P03", "40P01"].includes(codeOf(failure))

// Connection exceptions, a server that stops or starts, one that has become a standby, a transaction that was ended because it
// was idle or took too long.
const LOST = /^(08...|57P0.|25006|25P0[34])$/

const SQLSTATE = /^(?=.*\d)[0-9A-Z]{5}$/

/** Returns whether the connection must not be used again. */
export const isConnectionLost = (failure: SqlFailure): boolean => {
  const code = codeOf(failure)
  return !SQLSTATE.test(code) || LOST.test(code)
}

/** Returns whether the driver waited for the result until its `query_timeout`. The statement may still run. */
export const isTimeout = (failure: SqlFailure): boolean => codeOf(failure) === "Query read timeout"

/** Returns whether the server, the database or the role has as many connections as it may have. */
export const isTooManyConnections = ({ code }: PostgresFailure): boolean => code === "53300"

/** Returns whether the failure violates the unique constraint of the column, whose name is `table_column_key`. */
export const isTaken = ({ cause }: SqlFailure, table: string, column: string): boolean =>
  cause instanceof PostgresFailure && cause.code === "23505" && cause.constraint === `${table}_${column}_key`
