import { realTime } from "@community-messaging/domain/shared-kernel/RealTime"
import { StorageError } from "@community-messaging/domain/shared-kernel/StorageError"
import * as Rows from "@community-messaging/storage-sql/Rows"
import {
  logMigration,
  MIGRATIONS_TABLE,
  SchemaNotMigrated,
  schemaVersion,
  UnknownSchemaVersion
} from "@community-messaging/storage-sql/SchemaVersion"
import { attempt } from "@community-messaging/storage-sql/SqlFailure"
import type { Run } from "@community-messaging/storage-sql/Units"
import * as Reactivity from "@effect/experimental/Reactivity"
import * as PgClient from "@effect/sql-pg/PgClient"
import * as Migrator from "@effect/sql/Migrator"
import * as SqlClient from "@effect/sql/SqlClient"
import * as SqlError from "@effect/sql/SqlError"
import { Effect, Option, Schedule, Schema } from "effect"
import { escapeIdentifier, escapeLiteral, Pool } from "pg"
import * as ConnectionPool from "./ConnectionPool.ts"
import { accounts } from "./migrations/0001Accounts.ts"
import { guilds } from "./migrations/0002Guilds.ts"
import { messages } from "./migrations/0003Messages.ts"
import { unusedAvatars } from "./migrations/0004UnusedAvatars.ts"
import { scheduledMessages } from "./migrations/0005ScheduledMessages.ts"
import { oauth2 } from "./migrations/0006OAuth2.ts"
import { logs } from "./migrations/0007Logs.ts"
import { memberChanges } from "./migrations/0008MemberChanges.ts"
import { snowflakeEpoch } from "./migrations/0009SnowflakeEpoch.ts"
import { workerLeases } from "./migrations/0010WorkerLeases.ts"
import { keepLogsInParts } from "./migrations/0011KeepLogsInParts.ts"
import { lastMemberChange } from "./migrations/0012LastMemberChange.ts"
import { shownMemberChanges } from "./migrations/0013ShownMemberChanges.ts"
import { committedRanges } from "./migrations/0014CommittedRanges.ts"
import { avatarOrder } from "./migrations/0015AvatarOrder.ts"
import { fasterLastChange } from "./migrations/0016FasterLastChange.ts"
import * as PostgresFailure from "./PostgresFailure.ts"
import { type PostgresOptions, SCHEMA_NAME, type Settings, settingsOf } from "./PostgresOptions.ts"
import * as Transactions from "./Transactions.ts"

// `migrate` fails with these errors.
export { SchemaNotMigrated, UnknownSchemaVersion }

/** The statements of a migration, for a schema: as an identifier, and as a name in texts. */
type Migration = (schema: string, name: string) => ReadonlyArray<string>

// A released migration is never edited. Every change of the schema is a new migration.
const MIGRATIONS: ReadonlyArray<readonly [name: string, migration: Migration]> = [
  ["accounts", accounts],
  ["guilds", guilds],
  ["messages", messages],
  ["unused_avatars", unusedAvatars],
  ["scheduled_messages", scheduledMessages],
  ["oauth2", oauth2],
  ["logs", logs],
  ["member_changes", memberChanges],
  ["snowflake_epoch", snowflakeEpoch],
  ["worker_leases", workerLeases],
  ["keep_logs_in_parts", keepLogsInParts],
  ["last_member_change", lastMemberChange],
  ["shown_member_changes", shownMemberChanges],
  ["committed_ranges", committedRanges],
  ["avatar_order", () => avatarOrder],
  ["faster_last_change", fasterLastChange]
]

/** The version of the schema that this program works with. */
export const SCHEMA_VERSION = MIGRATIONS.length

/** The error of the driver, which the errors of the migrator and of its client wrap. */
const driverErrorOf = (error: unknown): unknown =>
  error instanceof Migrator.MigrationError || error instanceof SqlError.SqlError ? driverErrorOf(error.cause) : error

const failed = (error: unknown) =>
  new StorageError({ operation: "migrate the database", cause: PostgresFailure.of(driverErrorOf(error)) })

/**
 * How long a statement of a migration waits for the lock of a table that others use, such as a dump. All later readers of the
 * table wait behind it.
 */
const LOCK_TIMEOUT = "1s"

/** The pauses after that, in which the others work. */
const LOCK_RETRIES = Schedule.exponential("1 second").pipe(Schedule.union(Schedule.spaced("15 seconds")))

const logLocked = Effect.logWarning(
  "The migration waits, because others use a table that it changes. It is tried again until it gets the lock"
)

/** The version of the schema; 0 if it has none yet. */
const findVersion = (run: Run, { schema }: Settings) => {
  const table = `${escapeIdentifier(schema)}.${MIGRATIONS_TABLE}`
  return Effect.flatMap(
    run("SELECT 1 WHERE to_regclass(?) IS NOT NULL", [table]),
    (found) => found.length === 0 ? Effect.succeed(0) : schemaVersion(run, table)
  ).pipe(attempt("read the version of the schema"))
}

/** Texts of all languages are stored only with this encoding. */
const ENCODING = "UTF8"

const requireEncoding = (run: Run) =>
  Effect.flatMap(
    run("SELECT current_setting('server_encoding') AS value WHERE current_setting('server_encoding') <> ?", [ENCODING]),
    Rows.decodeFirst("the encoding", Schema.Struct({ value: Schema.String }))
  ).pipe(
    attempt("read the encoding of the database"),
    Effect.flatMap(Option.match({
      onNone: () => Effect.void,
      onSome: ({ value }) =>
        new StorageError({
          operation: "store texts",
          cause: new Error(`The encoding of the database is ${value}. Create one with ENCODING '${ENCODING}'`)
        })
    }))
  )

/** Creates the schema only if it does not exist, because a role may lack the right to create it. */
const createSchema = (sql: SqlClient.SqlClient, schema: string) =>
  Effect.flatMap(
    sql.unsafe(`SELECT 1 FROM pg_namespace WHERE nspname = ${escapeLiteral(schema)}`),
    (found) => Effect.unless(sql.unsafe(`CREATE SCHEMA ${escapeIdentifier(schema)}`), () => found.length > 0)
  )

const loader = (sql: SqlClient.SqlClient, schema: string) =>
  Migrator.fromRecord(Object.fromEntries(MIGRATIONS.map(([name, migration], index) => [
    `${String(index + 1).padStart(4, "0")}_${name}`,
    Effect.forEach(migration(escapeIdentifier(schema), schema), (statement) => sql.unsafe(statement), { discard: true })
  ])))

/**
 * Migrates in one transaction, so that only one of several processes does it. The others wait, and find it done. Waits only
 * shortly for the lock of a table.
 */
const runMissing = (sql: SqlClient.SqlClient, { schema }: Settings) =>
  Effect.gen(function*() {
    // The others may take long, and so may a migration: a limit of the role would end both.
    yield* sql.unsafe(`SELECT set_config(name, '0', true) FROM pg_settings
      WHERE name IN ('statement_timeout', 'lock_timeout', 'transaction_timeout')`)
    yield* sql.unsafe(`SELECT pg_advisory_xact_lock(hashtextextended(${escapeLiteral(`${schema}.migrate`)}, 0))`)
    yield* sql.unsafe(`SET LOCAL lock_timeout TO '${LOCK_TIMEOUT}'`)
    yield* createSchema(sql, schema)
    yield* sql.unsafe(`SET LOCAL search_path TO ${escapeIdentifier(schema)}`)
    yield* sql.unsafe(`CREATE TABLE IF NOT EXISTS ${MIGRATIONS_TABLE} (
      migration_id integer PRIMARY KEY,
      created_at timestamp with time zone NOT NULL DEFAULT now(),
      name text NOT NULL
    )`)
    yield* migrator({ loader: loader(sql, schema), table: MIGRATIONS_TABLE })
  }).pipe(sql.withTransaction, Effect.provideService(SqlClient.SqlClient, sql))

const migrator = Migrator.make({})

const open = (settings: Settings) =>
  PgClient.fromPool({
    acquire: Effect.acquireRelease(
      Effect.sync(() => {
        const pool = new Pool({ ...ConnectionPool.clientConfig(settings), pipeline: false, query_timeout: 0, max: 1 })
        pool.on("error", () => {})
        return pool
      }),
      (pool) => Effect.promise(() => pool.end())
    )
  })

/** Prepares the database at the start of the storage. `run` reads committed data. */
export const prepare = (
  run: Run,
  settings: Settings
): Effect.Effect<void, StorageError | UnknownSchemaVersion | SchemaNotMigrated> =>
  Effect.gen(function*() {
    if (!SCHEMA_NAME.test(settings.schema)) {
      const cause = new Error(
        "The name of the schema must have 1 to 63 characters of a-z, 0-9 and _, not begin with a digit or pg_, and not be information_schema"
      )
      return yield* new StorageError({ operation: "find the schema", cause })
    }
    yield* requireEncoding(run)
    const found = yield* findVersion(run, settings)
    const known = SCHEMA_VERSION
    if (found > known) return yield* new UnknownSchemaVersion({ found, known })
    if (found === known) return
    if (!settings.migrate) return yield* new SchemaNotMigrated({ schema: settings.schema, found, known })
    yield* Effect.flatMap(open(settings), (sql) =>
      runMissing(sql, settings).pipe(
        Effect.catchTags({ MigrationError: failed, SqlError: failed }),
        // A migration that fails is a defect of the migrator.
        Effect.catchAllDefect(failed),
        Effect.tapError((error) => PostgresFailure.isLocked(error) ? logLocked : Effect.void),
        Effect.retry({ while: PostgresFailure.isLocked, schedule: LOCK_RETRIES }),
        Effect.withClock(realTime),
        logMigration(found, known)
      )).pipe(
        Effect.catchTag("SqlError", failed),
        Effect.scoped,
        Effect.provide(Reactivity.layer)
      )
  })

/**
 * Creates the schema if it does not exist, and migrates it to the version of this program. Several processes can do so at
 * the same time. The role of the URL needs the right to create the schema, or to change it.
 */
export const migrate = (
  options: PostgresOptions
): Effect.Effect<void, StorageError | UnknownSchemaVersion | SchemaNotMigrated> => {
  const settings = { ...settingsOf(options), migrate: true, poolSize: 1 }
  return Effect.scoped(
    Effect.flatMap(ConnectionPool.make(settings), (pool) => prepare(Transactions.reader(pool), settings))
  )
}
