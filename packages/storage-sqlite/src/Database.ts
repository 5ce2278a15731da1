import { StorageError } from "@community-messaging/domain/StorageError"
import { Reactivity } from "@effect/experimental"
import { type SqlConnection, Statement } from "@effect/sql"
import { SqliteClient } from "@effect/sql-sqlite-node"
import { Context, Duration, Effect, Layer, Option, Schema } from "effect"
import * as ConnectionSettings from "./ConnectionSettings.ts"
import { migrate, type UnknownSchemaVersion } from "./Migrations.ts"
import * as Rows from "./Rows.ts"
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

/** Statements, and reads that all see the same state. */
export interface Reader {
  readonly sql: Statement.Constructor
  readonly snapshot: Transactions.Transactions["snapshot"]
}

/** The SQLite database behind the ports. */
export class Database extends Context.Tag("@community-messaging/storage-sqlite/Database")<
  Database,
  & Transactions.Transactions
  /** The statements of all ports: inside a unit of work they belong to it, outside they wait for the one that is running. */
  & Reader
  & {
    /**
     * What is committed, even inside a unit of work that has changed it: a second connection. A database in memory has
     * none, so that a unit of work sees its own changes there.
     */
    readonly committed: Reader
  }
>() {
  /** The database in a file. */
  static readonly layer = ({ filename, lockTimeout }: DatabaseOptions): Layer.Layer<
    Database,
    StorageError | UnknownSchemaVersion
  > =>
    Layer.scoped(
      Database,
      Effect.flatMap(open({ filename }), ({ reserve }) =>
        make({
          reserve,
          shared: false,
          lockTimeout: Duration.decode(lockTimeout ?? ConnectionSettings.DEFAULT_LOCK_TIMEOUT)
        }))
    ).pipe(Layer.provide(Reactivity.layer))

  /**
   * The database of a client that others use too, which is set as the adapter needs it. Their statements inside a unit of
   * work belong to it; the ports are not to be used inside the client's own `withTransaction`.
   */
  static readonly layerFromClient: Layer.Layer<
    Database,
    StorageError | UnknownSchemaVersion,
    SqliteClient.SqliteClient
  > = Layer.scoped(
    Database,
    Effect.flatMap(SqliteClient.SqliteClient, ({ reserve }) =>
      make({
        reserve,
        shared: true,
        lockTimeout: ConnectionSettings.DEFAULT_LOCK_TIMEOUT
      }))
  ).pipe(Layer.provide(Reactivity.layer))
}

const open = (options: { readonly filename: string; readonly readonly?: boolean }) =>
  SqliteClient.make({ ...options, disableWAL: true, prepareCacheSize: PREPARED_STATEMENTS }).pipe(
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
    const main = { ...transactions, sql: statements(transactions) }
    return { ...main, committed: yield* secondReader(main, options.lockTimeout) }
  })

const statements = ({ connection }: Transactions.Transactions): Statement.Constructor =>
  Statement.make(connection, Statement.makeCompilerSqlite(), [["db.system.name", "sqlite"]], undefined)

const DatabaseRow = Schema.Struct({ file: Schema.String })

/** A reader of its own on the file of that one; the same where there is no file. */
const secondReader = (main: Reader, lockTimeout: Duration.Duration) =>
  Effect.gen(function*() {
    const found = yield* main.sql`SELECT file FROM pragma_database_list WHERE name = 'main'`.pipe(
      Effect.flatMap(Rows.decodeFirst("pragma_database_list", DatabaseRow)),
      attempt("find the database's file")
    )
    const filename = Option.getOrElse(Option.map(found, ({ file }) => file), () => "")
    if (filename === "") return main
    const { reserve } = yield* open({ filename, readonly: true })
    const transactions = Transactions.make({ reserve, shared: false, lockTimeout })
    return { sql: statements(transactions), snapshot: transactions.snapshot }
  })
