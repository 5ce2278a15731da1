import { StorageError } from "@community-messaging/domain/StorageError"
import { Reactivity } from "@effect/experimental"
import { type SqlConnection, Statement } from "@effect/sql"
import { SqliteClient } from "@effect/sql-sqlite-node"
import { Context, Duration, Effect, Layer } from "effect"
import * as ConnectionSettings from "./ConnectionSettings.ts"
import { migrate, type UnknownSchemaVersion } from "./Migrations.ts"
import { attempt } from "./SqliteFailure.ts"
import * as Transactions from "./Transactions.ts"

// Searches come in many forms; everything else has one statement each.
const PREPARED_STATEMENTS = 500

/** Where a database is and how it is used. */
export interface DatabaseOptions {
  /** The file, which is made where it is not there; `:memory:` is a database that ends with the layer. */
  readonly filename: string
  /** How long to wait for the lock of another process: 5 seconds unless told otherwise. */
  readonly lockTimeout?: Duration.DurationInput
}

/** The SQLite database behind the ports: one connection, which transactions and statements take by turns. */
export class Database extends Context.Tag("@community-messaging/storage-sqlite/Database")<
  Database,
  Transactions.Transactions & {
    /** Statements. Inside a unit of work they belong to it; outside they wait for the one that is running. */
    readonly sql: Statement.Constructor
  }
>() {
  /** The database in a file. */
  static readonly layer = ({ filename, lockTimeout }: DatabaseOptions): Layer.Layer<
    Database,
    StorageError | UnknownSchemaVersion
  > =>
    Layer.scoped(
      Database,
      Effect.flatMap(open(filename), ({ reserve }) =>
        make({
          reserve,
          shared: false,
          lockTimeout: Duration.decode(lockTimeout ?? ConnectionSettings.DEFAULT_LOCK_TIMEOUT)
        }))
    ).pipe(Layer.provide(Reactivity.layer))

  /**
   * The database of a client that others use too. Their statements inside a unit of work belong to it; the ports are not
   * to be used inside the client's own `withTransaction`.
   */
  static readonly layerFromClient: Layer.Layer<
    Database,
    StorageError | UnknownSchemaVersion,
    SqliteClient.SqliteClient
  > = Layer.effect(
    Database,
    Effect.flatMap(
      SqliteClient.SqliteClient,
      ({ reserve }) => make({ reserve, shared: true, lockTimeout: ConnectionSettings.DEFAULT_LOCK_TIMEOUT })
    )
  )
}

const open = (filename: string) =>
  SqliteClient.make({ filename, disableWAL: true, prepareCacheSize: PREPARED_STATEMENTS }).pipe(
    // The driver throws where it can not open the file.
    Effect.catchAllDefect((cause) => new StorageError({ operation: "open the database", cause }))
  )

const make = (options: {
  readonly reserve: SqlConnection.Connection.Acquirer
  readonly shared: boolean
  readonly lockTimeout: Duration.Duration
}) =>
  Effect.gen(function*() {
    yield* Effect.scoped(Effect.flatMap(
      attempt("reach the database")(options.reserve),
      (connection) => ConnectionSettings.applyTo(connection, options.lockTimeout)
    ))
    const transactions = Transactions.make(options)
    yield* migrate(transactions)
    return {
      ...transactions,
      sql: Statement.make(
        transactions.connection,
        Statement.makeCompilerSqlite(),
        [["db.system.name", "sqlite"]],
        undefined
      )
    }
  })
