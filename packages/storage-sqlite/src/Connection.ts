import { StorageError } from "@community-messaging/domain/StorageError"
import { SqlFailure } from "@community-messaging/storage-sql/SqlFailure"
import type { Parameter } from "@community-messaging/storage-sql/Statements"
import SqliteDatabase from "better-sqlite3"
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

const attempted = <A>(use: () => A): Exit.Exit<A, SqlFailure> => {
  try {
    return Exit.succeed(use())
  } catch (cause) {
    return Exit.fail(new SqlFailure({ cause }))
  }
}

/** Keeps what is made of a text under that text. */
const cached = <A>(make: (text: string) => A) => {
  const made = new Map<string, A>()
  return (text: string): A => {
    const known = made.get(text)
    if (known !== undefined) return known
    const fresh = make(text)
    made.set(text, fresh)
    return fresh
  }
}

const onDatabase = (database: SqliteDatabase.Database): Connection => {
  const prepared = cached((text) => database.prepare<Array<Parameter>>(text))
  const preparedRaw = cached((text) => database.prepare<Array<Parameter>, ReadonlyArray<unknown>>(text).raw(true))
  return {
    run: (text, parameters) =>
      attempted(() => {
        const statement = prepared(text)
        if (statement.reader) return statement.all(...parameters)
        statement.run(...parameters)
        return []
      }),
    values: (text, parameters) => attempted(() => preparedRaw(text).all(...parameters))
  }
}

/** Opens connections to SQLite files, which close with their scope. */
export class Connector extends Context.Reference<Connector>()("@community-messaging/storage-sqlite/Connector", {
  defaultValue: () => ({
    open: (
      { busyTimeout, filename, readonly }: ConnectionOptions
    ): Effect.Effect<Connection, StorageError, Scope.Scope> =>
      Effect.acquireRelease(
        Effect.try({
          try: () => new SqliteDatabase(filename, { readonly, timeout: Duration.toMillis(busyTimeout) }),
          catch: (cause) => new StorageError({ operation: "open the database", cause })
        }),
        (database) => Effect.sync(() => database.close())
      ).pipe(Effect.map(onDatabase))
  })
}) {}
