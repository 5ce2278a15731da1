import { StorageError } from "@community-messaging/domain/shared-kernel/StorageError"
import { SqlFailure } from "@community-messaging/storage-sql/SqlFailure"
import type { Parameter } from "@community-messaging/storage-sql/Statements"
import SqliteDriver from "better-sqlite3"
import { Context, Duration, Effect, Exit, type Scope } from "effect"

/** A connection to an SQLite file. Its driver is synchronous, so that a statement runs in one go. */
export interface Connection {
  /** Runs a statement. Its text is prepared once, so the texts must be few. */
  readonly run: (
    text: string,
    parameters: ReadonlyArray<Parameter>
  ) => Exit.Exit<ReadonlyArray<unknown>, SqlFailure>
  /** Runs a query whose rows come as arrays of values. */
  readonly values: (
    text: string,
    parameters: ReadonlyArray<Parameter>
  ) => Exit.Exit<ReadonlyArray<ReadonlyArray<unknown>>, SqlFailure>
}

/** How a connection is opened. */
export interface ConnectionOptions {
  readonly filename: string
  readonly readonly: boolean
  /** How long SQLite itself waits for the lock of another connection, which stops the process meanwhile. */
  readonly busyTimeout: Duration.Duration
}

const NO_ROWS = Exit.succeed<ReadonlyArray<never>>([])

/** Runs statements, each of which is prepared once and then kept by its text. */
const runner = <Row>(
  driver: SqliteDriver.Database,
  configure: (statement: SqliteDriver.Statement<Array<Parameter>, Row>) => void
) => {
  const prepared = new Map<string, SqliteDriver.Statement<Array<Parameter>, Row>>()
  return (
    text: string,
    parameters: ReadonlyArray<Parameter>
  ): Exit.Exit<ReadonlyArray<Row>, SqlFailure> => {
    try {
      let statement = prepared.get(text)
      if (statement === undefined) {
        statement = driver.prepare<Array<Parameter>, Row>(text)
        configure(statement)
        prepared.set(text, statement)
      }
      if (statement.reader) return Exit.succeed(statement.all(...parameters))
      statement.run(...parameters)
      return NO_ROWS
    } catch (cause) {
      return Exit.fail(new SqlFailure({ cause }))
    }
  }
}

const connectionOn = (driver: SqliteDriver.Database): Connection => ({
  run: runner<unknown>(driver, () => {}),
  values: runner<ReadonlyArray<unknown>>(driver, (statement) => {
    if (statement.reader) statement.raw()
  })
})

/** Opens connections to SQLite files, which close with their scope. */
export class Connector extends Context.Reference<Connector>()("@community-messaging/storage-sqlite/Connector", {
  defaultValue: () => ({
    open: (
      { busyTimeout, filename, readonly }: ConnectionOptions
    ): Effect.Effect<Connection, StorageError, Scope.Scope> =>
      Effect.map(
        Effect.acquireRelease(
          Effect.try({
            try: () => new SqliteDriver(filename, { readonly, timeout: Duration.toMillis(busyTimeout) }),
            catch: (cause) => new StorageError({ operation: "open the database", cause })
          }),
          (driver) => Effect.sync(() => driver.close())
        ),
        connectionOn
      )
  })
}) {}
