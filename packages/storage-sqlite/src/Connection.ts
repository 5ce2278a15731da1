import { StorageError } from "@community-messaging/domain/shared-kernel/StorageError"
import { SqlFailure } from "@community-messaging/storage-sql/SqlFailure"
import type { Parameter } from "@community-messaging/storage-sql/Statements"
import { Reactivity } from "@effect/experimental"
import type { SqlConnection, SqlError } from "@effect/sql"
import { SqliteClient } from "@effect/sql-sqlite-node"
import { Cause, Context, Duration, Effect, Exit, Option, type Scope } from "effect"

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

/** More than there are statements, so that each is prepared once. */
const PREPARED_STATEMENTS = 1000

const failed = (cause: Cause.Cause<SqlError.SqlError>): SqlFailure => {
  const failure = Option.getOrUndefined(Cause.failureOption(cause))
  return new SqlFailure({ cause: failure === undefined ? Cause.squash(cause) : failure.cause })
}

/** The driver is synchronous: a statement needs no fiber of its own that could wait. */
const now = <A>(statement: Effect.Effect<A, SqlError.SqlError>): Exit.Exit<A, SqlFailure> =>
  Exit.mapErrorCause(Effect.runSyncExit(statement), (cause) => Cause.fail(failed(cause)))

const onClient = (connection: SqlConnection.Connection): Connection => ({
  run: (text, parameters) => now(connection.execute(text, parameters, undefined)),
  values: (text, parameters) => now(connection.executeValues(text, parameters))
})

/** Opens connections to SQLite files, which close with their scope. */
export class Connector extends Context.Reference<Connector>()("@community-messaging/storage-sqlite/Connector", {
  defaultValue: () => ({
    open: (
      { busyTimeout, filename, readonly }: ConnectionOptions
    ): Effect.Effect<Connection, StorageError, Scope.Scope> =>
      SqliteClient.make({
        filename,
        readonly,
        disableWAL: true,
        prepareCacheSize: PREPARED_STATEMENTS,
        prepareCacheTTL: Duration.infinity
      }).pipe(
        Effect.flatMap(({ reserve }) => reserve),
        Effect.map(onClient),
        Effect.tap(({ run }) => run(`PRAGMA busy_timeout = ${Duration.toMillis(busyTimeout)}`, [])),
        // The driver throws if it cannot open the file.
        Effect.catchAllCause((cause) =>
          new StorageError({ operation: "open the database", cause: Cause.squash(cause) })
        ),
        Effect.provide(Reactivity.layer)
      )
  })
}) {}
