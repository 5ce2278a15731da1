import type { StorageError } from "@community-messaging/domain/shared-kernel/StorageError"
import {
  logMigration,
  MIGRATIONS_TABLE,
  requireVersion,
  runMissing,
  SchemaNotMigrated,
  schemaVersion,
  UnknownSchemaVersion
} from "@community-messaging/storage-sql/SchemaVersion"
import { attempt, SqlFailure, storageError } from "@community-messaging/storage-sql/SqlFailure"
import type { Run } from "@community-messaging/storage-sql/Units"
import * as Reactivity from "@effect/experimental/Reactivity"
import * as SqliteClient from "@effect/sql-sqlite-node/SqliteClient"
import { type Duration, Effect, Predicate } from "effect"
import type { Connection } from "./Connection.ts"
import { retryWhileLocked } from "./ConnectionSettings.ts"
import { accounts } from "./migrations/0001Accounts.ts"
import { guilds } from "./migrations/0002Guilds.ts"
import { messages } from "./migrations/0003Messages.ts"
import { scheduledMessages } from "./migrations/0004ScheduledMessages.ts"
import { oauth2 } from "./migrations/0005OAuth2.ts"
import { logs } from "./migrations/0006Logs.ts"
import { memberChanges } from "./migrations/0007MemberChanges.ts"
import { noMemberRoles } from "./migrations/0008NoMemberRoles.ts"
import { pendingMessages } from "./migrations/0009PendingMessages.ts"
import { strictTexts } from "./migrations/0010StrictTexts.ts"
import { emailKeys } from "./migrations/0011EmailKeys.ts"
import { snowflakeEpoch } from "./migrations/0012SnowflakeEpoch.ts"
import { unusedAvatars } from "./migrations/0013UnusedAvatars.ts"
import { shownMemberChanges } from "./migrations/0014ShownMemberChanges.ts"
import { isBusy } from "./SqliteFailure.ts"

// The errors of a schema of another version.
export { SchemaNotMigrated, UnknownSchemaVersion }

/** The statements of a migration, or an effect if statements are not enough. */
type Migration =
  | ReadonlyArray<string>
  | ((run: Run) => Effect.Effect<void, SqlFailure | StorageError>)

// A released migration is never edited. Every change of the schema is a new migration.
const MIGRATIONS: ReadonlyArray<readonly [name: string, migration: Migration]> = [
  ["accounts", accounts],
  ["guilds", guilds],
  ["messages", messages],
  ["scheduled_messages", scheduledMessages],
  ["oauth2", oauth2],
  ["logs", logs],
  ["member_changes", memberChanges],
  ["no_member_roles", noMemberRoles],
  ["pending_messages", pendingMessages],
  ["strict_texts", strictTexts],
  ["email_keys", emailKeys],
  ["snowflake_epoch", snowflakeEpoch],
  ["unused_avatars", unusedAvatars],
  ["shown_member_changes", shownMemberChanges]
]

/** The version of the schema that this program works with. */
export const SCHEMA_VERSION = MIGRATIONS.length

/** The names of all migrations, in the order of the versions that they lead to. */
export const MIGRATION_NAMES: ReadonlyArray<string> = MIGRATIONS.map(([name]) => name)

const PREPARE = `CREATE TABLE IF NOT EXISTS ${MIGRATIONS_TABLE} (
  migration_id integer PRIMARY KEY NOT NULL,
  created_at datetime NOT NULL DEFAULT current_timestamp,
  name VARCHAR(255) NOT NULL
)`

/** Runs the missing migrations. */
const runMigrations = (run: Run) => {
  const execute = (statement: string) => run(statement, [])
  const runOne = (migration: Migration) =>
    Predicate.isFunction(migration) ? migration(run) : Effect.forEach(migration, execute, { discard: true })
  return Effect.zipRight(execute(PREPARE), runMissing(run, MIGRATIONS, runOne))
}

/** The version of the schema; 0 if it has none yet. */
export const versionOf = (run: Run) =>
  Effect.flatMap(
    run("SELECT 1 FROM sqlite_schema WHERE name = ?", [MIGRATIONS_TABLE]),
    (tables) => tables.length === 0 ? Effect.succeed(0) : schemaVersion(run)
  )

/** Fails if the schema is newer than this program; if it must not be migrated, also if it is older. Changes nothing. */
export const checkVersion = (
  { run }: Connection,
  { filename, lockTimeout, mayMigrate }: {
    readonly filename: string
    readonly lockTimeout: Duration.Duration
    readonly mayMigrate: boolean
  }
): Effect.Effect<void, StorageError | SchemaNotMigrated | UnknownSchemaVersion> =>
  Effect.suspend(() => versionOf(run)).pipe(
    retryWhileLocked(lockTimeout),
    attempt("read the version of the schema"),
    Effect.flatMap((found) => requireVersion({ schema: filename, found, known: SCHEMA_VERSION, mayMigrate }))
  )

/** SQLite ends a transaction itself if the disk is full. Then there is none to roll back. */
const inTransaction = <A, E, R>(run: Run, body: Effect.Effect<A, E, R>) =>
  Effect.zipRight(
    run("BEGIN", []),
    Effect.onError(Effect.zipLeft(body, run("COMMIT", [])), () => Effect.ignore(run("ROLLBACK", [])))
  )

/**
 * Migrates the schema in one transaction, so that only one of several processes does it. The others begin again when they
 * have the lock. Uses a separate connection, which closes afterwards.
 */
export const migrate = (
  filename: string,
  lockTimeout: Duration.Duration
): Effect.Effect<void, StorageError | UnknownSchemaVersion> =>
  Effect.gen(function*() {
    const sql = yield* SqliteClient.make({ filename, disableWAL: true })
    const run: Run = (text, parameters) =>
      Effect.mapError(sql.unsafe(text, parameters), ({ cause }) => new SqlFailure({ cause }))
    // SQLite would wait synchronously, and the holder of the lock may be in this process.
    yield* run("PRAGMA busy_timeout = 0", [])
    yield* run("PRAGMA secure_delete = FAST", [])
    const found = yield* Effect.suspend(() => versionOf(run)).pipe(retryWhileLocked(lockTimeout))
    yield* inTransaction(run, runMigrations(run)).pipe(
      retryWhileLocked(lockTimeout),
      logMigration(found, SCHEMA_VERSION)
    )
  }).pipe(
    Effect.catchTag("SqlFailure", (failure) => Effect.fail(storageError("migrate the database", failure))),
    Effect.scoped,
    Effect.provide(Reactivity.layer)
  )

/**
 * Fails if the connection cannot write: SQLite also opens files that are read-only or on a full disk. It writes in one
 * transaction, so that a failure cannot leave the row behind.
 */
export const checkWritable = ({ run }: Connection): Effect.Effect<void, StorageError> => {
  const execute = (text: string) => Effect.suspend(() => run(text, []))
  const writeAndUndo = [
    `INSERT INTO ${MIGRATIONS_TABLE} (migration_id, name) VALUES (0, '') ON CONFLICT DO NOTHING`,
    `DELETE FROM ${MIGRATIONS_TABLE} WHERE migration_id = 0`,
    "COMMIT"
  ]
  return Effect.matchEffect(execute("BEGIN IMMEDIATE"), {
    onSuccess: () => Effect.forEach(writeAndUndo, execute, { discard: true }),
    // The lock is busy, so another process can write.
    onFailure: (failure) => isBusy(failure) ? Effect.void : Effect.fail(failure)
  }).pipe(attempt("write to the database"))
}
