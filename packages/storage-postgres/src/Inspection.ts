import { Snowflake } from "@community-messaging/domain/shared-kernel/Snowflake"
import type { StorageError } from "@community-messaging/domain/shared-kernel/StorageError"
import { column, Flag } from "@community-messaging/storage-sql/Column"
import * as Rows from "@community-messaging/storage-sql/Rows"
import { MIGRATIONS_TABLE, schemaVersion as versionOf } from "@community-messaging/storage-sql/SchemaVersion"
import { SNOWFLAKE_TABLES } from "@community-messaging/storage-sql/SnowflakeHistorySql"
import { attempt, SqlFailure } from "@community-messaging/storage-sql/SqlFailure"
import type { Run } from "@community-messaging/storage-sql/Units"
import { Clock, Duration, Effect, Option, Schema } from "effect"
import { Client } from "pg"
import { clientConfig } from "./ConnectionPool.ts"
import { SCHEMA_VERSION } from "./Migrations.ts"
import * as PostgresFailure from "./PostgresFailure.ts"
import { type PostgresOptions, settingsOf } from "./PostgresOptions.ts"

/** The properties of a database server. */
const Server = Schema.Struct({
  /** Such as 180004 for 18.4. */
  versionNumber: column("version_number", Schema.Int),
  encoding: Schema.String,
  /** Whether it refuses all changes: it is a standby, or the role or the database has `default_transaction_read_only`. */
  isReadOnly: column("is_read_only", Flag),
  /** The settings of durability that are off, for the role in this database: `synchronous_commit`, `fsync`, … */
  durabilityOff: column("durability_off", Schema.Array(Schema.String)),
  /**
   * The maximum number of connections of the role: the least of the limits of the server, without those reserved for
   * administrators, of the role and of the database.
   */
  maxConnections: column("max_connections", Schema.Int),
  /** How many more connections the role may open now, by these limits. */
  freeConnections: column("free_connections", Schema.Int),
  /** The time of the database, as Unix milliseconds. */
  now: Schema.Number,
  /** Whether the role may create tables in the schema, or the schema itself if there is none. */
  mayCreate: column("may_create", Flag),
  /** The tables that the role may not read or write. A check of health writes to the table of migrations. */
  forbidden: Schema.Array(Schema.String),
  /** The functions of the program that the role may not run. */
  forbiddenFunctions: column("forbidden_functions", Schema.Array(Schema.String)),
  /** The sequence of the numbers of events, if the role may not read it. */
  forbiddenSequences: column("forbidden_sequences", Schema.Array(Schema.String)),
  /** Whether the role may read the table of migrations; null if the schema has none. */
  mayReadMigrations: column("may_read_migrations", Schema.NullOr(Flag))
})

/** The content of the service's schema, if it has the version of this program. */
const Content = Schema.Struct({
  /** The epoch of the ids, as Unix milliseconds. */
  epoch: Schema.NullOr(Schema.Number),
  /** The largest id of all tables. */
  largestId: column("largest_id", Schema.NullOr(Snowflake)),
  /** The worker numbers that no process has. */
  freeWorkers: column("free_workers", Schema.Int)
})

/** The properties of a database. */
export interface Inspection {
  readonly server: typeof Server.Type
  /** How far the clock of this process is ahead of the database's, in milliseconds; inexact by the round trip. */
  readonly clockLead: number
  /** The version of the schema; 0 if it has none yet, none if the role may not read it. */
  readonly schemaVersion: Option.Option<number>
  /** None if the schema has another version, or the role may not read all of it. */
  readonly content: Option.Option<typeof Content.Type>
}

const decodeServer = Rows.decodeFirst("the server", Server)
const decodeContent = Rows.decodeFirst("the schema", Content)

/**
 * The limits of connections, as SQL. Those of the role and of the database are null if there is none, or for a superuser.
 */
const SERVER_LIMIT = `(current_setting('max_connections')::int - current_setting('superuser_reserved_connections')::int
      - coalesce(current_setting('reserved_connections', true)::int, 0))`
const ROLE_LIMIT = `(SELECT rolconnlimit FROM pg_roles
      WHERE rolname = current_user AND rolconnlimit >= 0 AND NOT rolsuper)`
const DATABASE_LIMIT = `(SELECT datconnlimit FROM pg_database, pg_roles
      WHERE datname = current_database() AND datconnlimit >= 0 AND rolname = current_user AND NOT rolsuper)`

const SERVER = `
  SELECT current_setting('server_version_num')::int AS version_number,
    current_setting('server_encoding') AS encoding,
    pg_is_in_recovery() OR
      (SELECT reset_val = 'on' FROM pg_settings WHERE name = 'default_transaction_read_only') AS is_read_only,
    ARRAY(
      SELECT name FROM pg_settings
      WHERE name IN ('fsync', 'full_page_writes', 'synchronous_commit') AND setting = 'off' ORDER BY name
    ) AS durability_off,
    least(${SERVER_LIMIT}, ${ROLE_LIMIT}, ${DATABASE_LIMIT}) AS max_connections,
    least(
      ${SERVER_LIMIT} - (SELECT sum(numbackends)::int - 1 FROM pg_stat_database),
      ${ROLE_LIMIT} - (SELECT count(*)::int - 1 FROM pg_stat_activity WHERE usename = current_user),
      ${DATABASE_LIMIT} - (SELECT count(*)::int - 1 FROM pg_stat_activity WHERE datname = current_database())
    ) AS free_connections,
    (extract(epoch FROM clock_timestamp()) * 1000)::bigint AS now,
    coalesce(
      (SELECT has_schema_privilege(oid, 'CREATE') FROM pg_namespace WHERE nspname = $1),
      has_database_privilege(current_database(), 'CREATE')
    ) AS may_create,
    ARRAY(
      SELECT relname::text FROM pg_class JOIN pg_namespace ON pg_namespace.oid = relnamespace
      WHERE nspname = $1 AND relkind IN ('r', 'p') AND NOT (
        has_schema_privilege(relnamespace, 'USAGE') AND has_table_privilege(pg_class.oid, 'SELECT')
        AND has_table_privilege(pg_class.oid, 'INSERT') AND has_table_privilege(pg_class.oid, 'UPDATE')
        AND has_table_privilege(pg_class.oid, 'DELETE')
      ) ORDER BY relname
    ) AS forbidden,
    ARRAY(
      SELECT proname::text FROM pg_proc JOIN pg_namespace ON pg_namespace.oid = pronamespace
      WHERE nspname = $1 AND proname IN ('keep_logs', 'last_member_change')
        AND NOT has_function_privilege(pg_proc.oid, 'EXECUTE') ORDER BY proname
    ) AS forbidden_functions,
    ARRAY(
      SELECT relname::text FROM pg_class JOIN pg_namespace ON pg_namespace.oid = relnamespace
      WHERE nspname = $1 AND relname = 'events_sequence_seq' AND NOT has_table_privilege(pg_class.oid, 'SELECT')
    ) AS forbidden_sequences,
    (
      SELECT has_schema_privilege(relnamespace, 'USAGE') AND has_table_privilege(pg_class.oid, 'SELECT')
      FROM pg_class JOIN pg_namespace ON pg_namespace.oid = relnamespace WHERE nspname = $1 AND relname = $2
    ) AS may_read_migrations`

const contentOf = (schema: string) => `
  SELECT (SELECT unix_millis FROM "${schema}".snowflake_epoch) AS epoch,
    greatest(
      ${SNOWFLAKE_TABLES.map((table) => `(SELECT max(id) FROM "${schema}".${table})`).join(", ")}
    )::text AS largest_id,
    (SELECT count(*)::int FROM "${schema}".worker_leases WHERE expires_at <= clock_timestamp()) AS free_workers`

const END_TIMEOUT = Duration.seconds(1)

const connect = (options: PostgresOptions) => {
  const failed = (cause: unknown) => new SqlFailure({ cause: PostgresFailure.of(cause) })
  return Effect.acquireRelease(
    Effect.try({
      try: () => {
        const client = new Client(clientConfig(settingsOf(options)))
        // Called when the connection is lost. Without a listener, the error would end the process.
        client.on("error", () => {})
        return client
      },
      catch: failed
    }),
    (client) =>
      // Ends the transaction, too. Waits briefly, so that its process is not counted by the next inspection.
      Effect.promise(() => client.end()).pipe(
        // The timeout interrupts it, and a finalizer is not interruptible by itself.
        Effect.interruptible,
        Effect.timeoutOption(END_TIMEOUT),
        Effect.zipRight(Effect.sync(() => client.connection.stream.destroy()))
      )
  ).pipe(
    // Not in the acquisition, which cannot be interrupted: the database may not answer.
    Effect.tap((client) => Effect.tryPromise({ try: () => client.connect(), catch: failed })),
    Effect.map((client): Run => (text, parameters) =>
      Effect.tryPromise({
        try: async (): Promise<ReadonlyArray<unknown>> => (await client.query<object>(text, [...parameters])).rows,
        catch: failed
      })
    )
  )
}

/** Inspects the database without changing it, also while servers use it. */
export const inspect = (options: PostgresOptions): Effect.Effect<Inspection, StorageError> =>
  Effect.gen(function*() {
    const { schema } = settingsOf(options)
    const query = yield* connect(options)
    // Not a setting of the session, which a pooler would give to others.
    yield* query("BEGIN READ ONLY", [])
    const before = yield* Clock.currentTimeMillis
    const server = Option.getOrThrow(yield* decodeServer(yield* query(SERVER, [schema, MIGRATIONS_TABLE])))
    const after = yield* Clock.currentTimeMillis
    const schemaVersion = server.mayReadMigrations === false
      ? Option.none()
      : Option.some(server.mayReadMigrations === null ? 0 : yield* versionOf(query, `"${schema}".${MIGRATIONS_TABLE}`))
    const content = server.forbidden.length === 0 && Option.contains(schemaVersion, SCHEMA_VERSION)
      ? yield* decodeContent(yield* query(contentOf(schema), []))
      : Option.none()
    return { server, clockLead: Math.round((before + after) / 2 - server.now), schemaVersion, content }
  }).pipe(
    attempt("inspect the database"),
    Effect.scoped
  )

const decodeProcess = Rows.decodeInteger("pg_backend_pid")

/** How often each connection is asked for its process: a pooler may give its next transaction another one. */
const PROBES = 5

/** A pooler in session mode lets the second connection wait if it has only one process. */
const PROBE_TIMEOUT = Duration.seconds(5)

/**
 * Whether a pooler gives processes of PostgreSQL to transactions, and not to connections. Not known, and false, if the
 * database refuses two connections, or does not answer on both.
 */
export const sharesProcesses = (options: PostgresOptions): Effect.Effect<boolean> =>
  Effect.gen(function*() {
    const connections = [yield* connect(options), yield* connect(options)]
    const processes = Effect.forEach(
      connections,
      (query) => Effect.flatMap(query("SELECT pg_backend_pid() AS value", []), decodeProcess)
    )
    const probes = yield* Effect.replicateEffect(processes, PROBES)
    return new Set(probes.map(String)).size > 1 || new Set(probes.flat()).size < connections.length
  }).pipe(Effect.scoped, Effect.timeout(PROBE_TIMEOUT), Effect.orElseSucceed(() => false))
