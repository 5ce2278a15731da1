import type { StorageError } from "@community-messaging/domain/shared-kernel/StorageError"
import { SqlFailure } from "@community-messaging/storage-sql/SqlFailure"
import type { Parameter } from "@community-messaging/storage-sql/Statements"
import type SqliteDriver from "better-sqlite3"
import { Context, Duration, Effect, Exit, type Scope } from "effect"
import * as DatabaseFile from "./DatabaseFile.ts"

/** A connection to an SQLite file. Its driver is synchronous, so a statement is never interrupted. */
export interface Connection {
  /** Runs a statement. Each text is prepared once, so texts must be few. */
  readonly run: (
    text: string,
    parameters: ReadonlyArray<Parameter>
  ) => Exit.Exit<ReadonlyArray<unknown>, SqlFailure>
  /** Runs a query. Its rows are arrays of values. */
  readonly values: (
    text: string,
    parameters: ReadonlyArray<Parameter>
  ) => Exit.Exit<ReadonlyArray<ReadonlyArray<unknown>>, SqlFailure>
}

/** The options of a connection. */
export interface ConnectionOptions {
  readonly filename: string
  readonly readonly: boolean
  /** How long SQLite itself waits for the lock of another connection. It blocks the event loop in the meantime. */
  readonly busyTimeout: Duration.Duration
}

const NO_ROWS = Exit.succeed<ReadonlyArray<never>>([])

type RawRow = ReadonlyArray<unknown>

/** A prepared statement; for a query, with the function that converts its rows. */
interface Prepared<Row> {
  readonly statement: SqliteDriver.Statement<Array<Parameter>, RawRow>
  readonly toRow: ((values: RawRow) => Row) | undefined
}

/** Runs statements. Each is prepared once and then cached by its text. */
const runner = <Row>(
  driver: SqliteDriver.Database,
  rowsOf: (columns: ReadonlyArray<string>) => (values: RawRow) => Row
) => {
  const prepared = new Map<string, Prepared<Row>>()
  const prepare = (text: string): Prepared<Row> => {
    const statement = driver.prepare<Array<Parameter>, RawRow>(text)
    if (!statement.reader) return { statement, toRow: undefined }
    statement.raw()
    return { statement, toRow: rowsOf(statement.columns().map(({ name }) => name)) }
  }
  return (
    text: string,
    parameters: ReadonlyArray<Parameter>
  ): Exit.Exit<ReadonlyArray<Row>, SqlFailure> => {
    try {
      let found = prepared.get(text)
      if (found === undefined) {
        found = prepare(text)
        prepared.set(text, found)
      }
      const { statement, toRow } = found
      if (toRow !== undefined) return Exit.succeed(statement.all(...parameters).map(toRow))
      statement.run(...parameters)
      return NO_ROWS
    } catch (cause) {
      return Exit.fail(new SqlFailure({ cause }))
    }
  }
}

/** Converts rows to objects. For a row of many columns, the driver takes twice as long. */
const toObject = (columns: ReadonlyArray<string>) => (values: RawRow): unknown => {
  const row: Record<string, unknown> = {}
  for (let index = 0; index < columns.length; index += 1) row[columns[index] ?? ""] = values[index]
  return row
}

const connectionOn = (driver: SqliteDriver.Database): Connection => ({
  run: runner<unknown>(driver, toObject),
  values: runner<RawRow>(driver, () => (values) => values)
})

/** Opens connections to SQLite files, which close with their scope. */
export class Connector extends Context.Reference<Connector>()("@community-messaging/storage-sqlite/Connector", {
  defaultValue: () => ({
    open: (
      { busyTimeout, filename, readonly }: ConnectionOptions
    ): Effect.Effect<Connection, StorageError, Scope.Scope> =>
      Effect.map(
        DatabaseFile.open(filename, { fileMustExist: false, readonly, timeout: Duration.toMillis(busyTimeout) }),
        connectionOn
      )
  })
}) {}
