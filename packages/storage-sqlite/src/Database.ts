import { StorageError } from "@community-messaging/domain/StorageError"
import { Reactivity } from "@effect/experimental"
import type { SqlConnection, SqlError } from "@effect/sql"
import { SqliteClient } from "@effect/sql-sqlite-node"
import { Context, Duration, Effect, Layer, Option, Schema, type Scope } from "effect"
import * as Access from "./Access.ts"
import * as ConnectionSettings from "./ConnectionSettings.ts"
import { migrate, type UnknownSchemaVersion } from "./Migrations.ts"
import * as Rows from "./Rows.ts"
import { attempt } from "./SqliteFailure.ts"
import * as Statements from "./Statements.ts"
import * as Transactions from "./Transactions.ts"

// More than there are statements, so that each is prepared once.
const PREPARED_STATEMENTS = 500

/** Where a database is and how it is used. */
export interface DatabaseOptions {
  /** The file, which is made where it is not there; `:memory:` is a database that ends with the layer. */
  readonly filename: string
  /** How long to wait for the lock of another process: 5 seconds unless told otherwise. */
  readonly lockTimeout?: Duration.DurationInput
}

/** Reads of what is committed, even inside a unit of work that has changed it: on connections of their own. */
export interface CommittedReader {
  /** Runs short reads. Others may run between two of them. */
  readonly read: <A, E, R>(
    use: (connection: SqlConnection.Connection) => Effect.Effect<A, E, R>
  ) => Effect.Effect<A, E | StorageError, R>
  /** A connection that sees one state until the scope closes, however long that takes. Nobody waits for it. */
  readonly standstill: Effect.Effect<SqlConnection.Connection, StorageError, Scope.Scope>
  /**
   * False for a database in memory, which has one connection alone: a unit of work sees its own changes there, and others
   * wait for a standstill to end.
   */
  readonly isApart: boolean
}

/** The SQLite database behind the ports. */
export class Database extends Context.Tag("@community-messaging/storage-sqlite/Database")<
  Database,
  & Transactions.Transactions
  & {
    /** The statements of all ports: inside a unit of work they belong to it, outside they wait for the one that is running. */
    readonly sql: Statements.Sql
    readonly committed: CommittedReader
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
          access: Effect.map(reserve, Access.own),
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
        access: Effect.succeed(Access.shared(reserve)),
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

const make = ({ lockTimeout, shared, ...options }: {
  readonly access: Effect.Effect<Access.Access, SqlError.SqlError, Scope.Scope>
  readonly shared: boolean
  readonly lockTimeout: Duration.Duration
}) =>
  Effect.gen(function*() {
    const access = yield* attempt("reach the database")(options.access)
    yield* Effect.scoped(Effect.flatMap(
      attempt("reach the database")(access.acquirer),
      (connection) => ConnectionSettings.applyTo(connection, lockTimeout)
    ))
    const transactions = Transactions.make({ access, shared, lockTimeout })
    yield* migrate(transactions)
    const main = { ...transactions, sql: Statements.make(transactions) }
    return { ...main, committed: yield* committedReader(main) }
  })

const DatabaseRow = Schema.Struct({ file: Schema.String })

/** A reader with connections of its own to the file of that database; with the same connection where there is no file. */
const committedReader = (main: Transactions.Transactions & { readonly sql: Statements.Sql }) =>
  Effect.gen(function*() {
    const found = yield* main.sql`SELECT file FROM pragma_database_list WHERE name = 'main'`.pipe(
      Effect.flatMap(Rows.decodeFirst("pragma_database_list", DatabaseRow)),
      attempt("find the database's file")
    )
    const filename = Option.getOrElse(Option.map(found, ({ file }) => file), () => "")
    return filename === "" ? readerBeside(main) : yield* readerApart(filename)
  })

const readerBeside = ({ connection }: Transactions.Transactions): CommittedReader => {
  const standstill = attempt("reach the database")(connection)
  return { read: (use) => Effect.scoped(Effect.flatMap(standstill, use)), standstill, isApart: false }
}

/**
 * What readers map of the file, in bytes: pages are then read without a call of the system, which halves the time of reads
 * that are spread over a large file.
 */
const MAPPED_BYTES = 1024 ** 3

const readerApart = (filename: string) =>
  Effect.gen(function*() {
    const context = yield* Effect.context<Reactivity.Reactivity>()
    const connect = open({ filename, readonly: true }).pipe(
      Effect.flatMap(({ reserve }) => attempt("reach the database")(reserve)),
      Effect.tap((connection) =>
        attempt("map the database")(connection.executeValues(`PRAGMA mmap_size = ${MAPPED_BYTES}`, []))
      ),
      Effect.mapInputContext((scope: Context.Context<Scope.Scope>) => Context.merge(context, scope))
    )
    // Its statements are single reads that run at once: they need not wait for one another.
    const connection = yield* connect
    const reader: CommittedReader = {
      read: (use) => use(connection),
      // Closing the connection ends the transaction.
      standstill: Effect.tap(connect, (apart) => attempt("begin a read")(apart.execute("BEGIN", [], undefined))),
      isApart: true
    }
    return reader
  })
