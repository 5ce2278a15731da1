import { realTime } from "@community-messaging/domain/shared-kernel/RealTime"
import { StorageError } from "@community-messaging/domain/shared-kernel/StorageError"
import * as Rows from "@community-messaging/storage-sql/Rows"
import {
  logMigration,
  MIGRATIONS_TABLE,
  requireVersion,
  runMissing,
  SchemaNotMigrated,
  schemaVersion,
  UnknownSchemaVersion
} from "@community-messaging/storage-sql/SchemaVersion"
import { attempt, storageError } from "@community-messaging/storage-sql/SqlFailure"
import type { Run } from "@community-messaging/storage-sql/Units"
import { Effect, Option, Schedule, Schema } from "effect"
import { escapeIdentifier } from "pg"
import type { Connection } from "./Connection.ts"
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
import { boundedMoves } from "./migrations/0017BoundedMoves.ts"
import * as PostgresFailure from "./PostgresFailure.ts"
import { type PostgresOptions, SCHEMA_NAME, type Settings, settingsOf } from "./PostgresOptions.ts"

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
  ["faster_last_change", fasterLastChange],
  ["bounded_moves", boundedMoves]
]

/** The version of the schema that this program works with. */
export const SCHEMA_VERSION = MIGRATIONS.length

/**
 * How long a statement waits for the lock of migrations, or of a table that others use, such as a dump. While it waits, all
 * later readers of the table wait, too; and if its process is killed, its session waits until the lock is free.
 */
const LOCK_TIMEOUT = "1s"

/** The pauses after that, in which the others work. */
const LOCK_RETRIES = Schedule.exponential("1 second").pipe(Schedule.union(Schedule.spaced("15 seconds")))

const logLocked = Effect.logWarning(
  "The migration waits, because others migrate, or use a table that it changes. It is tried again until it gets the lock"
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
  run("SELECT current_setting('server_encoding') AS value", []).pipe(
    Effect.flatMap(Rows.decodeFirst("the encoding", Schema.Struct({ value: Schema.String }))),
    attempt("read the encoding of the database"),
    Effect.map(Option.getOrThrow),
    Effect.filterOrFail(({ value }) => value === ENCODING, ({ value }) =>
      new StorageError({
        operation: "store texts",
        cause: new Error(`The encoding of the database is ${value}. Create one with ENCODING '${ENCODING}'`)
      }))
  )

/** The longest time of a timer, in milliseconds: some weeks. A migration may take long. */
const UNLIMITED_MILLIS = 2 ** 31 - 1

/**
 * Migrates in one transaction, so that only one of several processes does it. The others find it done. Waits only shortly for
 * a lock.
 */
const runMigrations = (connection: Connection, { schema }: Settings) => {
  const execute = (text: string) => connection.command(text, UNLIMITED_MILLIS)
  return Effect.gen(function*() {
    connection.begin("BEGIN")
    // A migration may take long: the limit of other statements would end it.
    yield* execute(`SET LOCAL statement_timeout TO 0; SET LOCAL lock_timeout TO '${LOCK_TIMEOUT}'`)
    yield* execute(`SELECT pg_advisory_xact_lock(hashtextextended('${schema}.migrate', 0))`)
    // Only if it does not exist, because a role may lack the right to create it.
    const found = yield* connection.run("SELECT 1 FROM pg_namespace WHERE nspname = ?", [schema])
    if (found.length === 0) yield* execute(`CREATE SCHEMA ${escapeIdentifier(schema)}`)
    yield* execute(`CREATE TABLE IF NOT EXISTS ${MIGRATIONS_TABLE} (
      migration_id integer PRIMARY KEY,
      created_at timestamp with time zone NOT NULL DEFAULT now(),
      name text NOT NULL
    )`)
    yield* runMissing(
      connection.run,
      MIGRATIONS,
      (migration) => Effect.forEach(migration(escapeIdentifier(schema), schema), execute, { discard: true })
    )
    yield* connection.end("COMMIT")
  }).pipe(Effect.onError(() => Effect.ignore(connection.end("ROLLBACK"))))
}

/** Prepares the database at the start of the storage. */
export const prepare = (
  pool: ConnectionPool.ConnectionPool,
  settings: Settings
): Effect.Effect<void, StorageError | UnknownSchemaVersion | SchemaNotMigrated> =>
  Effect.gen(function*() {
    if (!SCHEMA_NAME.test(settings.schema)) {
      const cause = new Error(
        "The name of the schema must have 1 to 63 characters of a-z, 0-9 and _, not begin with a digit or pg_, and not be information_schema"
      )
      return yield* new StorageError({ operation: "find the schema", cause })
    }
    yield* requireEncoding(pool.read)
    const found = yield* findVersion(pool.read, settings)
    const known = SCHEMA_VERSION
    yield* requireVersion({ schema: settings.schema, found, known, mayMigrate: settings.migrate })
    if (found === known) return
    yield* pool.use((connection) => runMigrations(connection, settings)).pipe(
      Effect.catchTag("SqlFailure", (failure) => storageError("migrate the database", failure)),
      Effect.tapError((error) => PostgresFailure.isLocked(error) ? logLocked : Effect.void),
      Effect.retry({ while: PostgresFailure.isLocked, schedule: LOCK_RETRIES }),
      Effect.withClock(realTime),
      logMigration(found, known)
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
    Effect.flatMap(ConnectionPool.make(settings), (pool) => prepare(pool, settings))
  )
}
