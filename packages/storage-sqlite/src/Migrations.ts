import { StorageError } from "@community-messaging/domain/shared-kernel/StorageError"
import * as Rows from "@community-messaging/storage-sql/Rows"
import { Reactivity } from "@effect/experimental"
import { SqliteClient } from "@effect/sql-sqlite-node"
import { type Duration, Effect, Option, Schema } from "effect"
import { patience, realTime } from "./ConnectionSettings.ts"
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
import { isBusy } from "./SqliteFailure.ts"

// A released migration is never edited. Every change of the schema is a new migration.
const MIGRATIONS: ReadonlyArray<readonly [name: string, statements: ReadonlyArray<string>]> = [
  ["accounts", accounts],
  ["guilds", guilds],
  ["messages", messages],
  ["scheduled_messages", scheduledMessages],
  ["oauth2", oauth2],
  ["logs", logs],
  ["member_changes", memberChanges],
  ["no_member_roles", noMemberRoles],
  ["pending_messages", pendingMessages],
  ["strict_texts", strictTexts]
]

/** The version of the schema that this program works with. */
export const SCHEMA_VERSION = MIGRATIONS.length

/** The table of completed migrations. Its name does not conflict with tables of an embedding application. */
export const MIGRATIONS_TABLE = "community_messaging_migrations"

/** The database was written by a newer version of this program. */
export class UnknownSchemaVersion extends Schema.TaggedError<UnknownSchemaVersion>()("UnknownSchemaVersion", {
  found: Schema.Int,
  known: Schema.Int
}) {
  override get message(): string {
    return `The database has schema version ${this.found}, but this program supports versions up to ${this.known}. ` +
      "A newer version of the program wrote it: run that version, or restore an older backup."
  }
}

const PREPARE = `CREATE TABLE IF NOT EXISTS ${MIGRATIONS_TABLE} (
  migration_id integer PRIMARY KEY NOT NULL,
  created_at datetime NOT NULL DEFAULT current_timestamp,
  name VARCHAR(255) NOT NULL
)`

const decodeVersion = Rows.decodeFirst(MIGRATIONS_TABLE, Schema.Struct({ version: Schema.Int }))

/** Runs the migrations that the database does not have yet. */
const runMissing = Effect.fnUntraced(function*(sql: SqliteClient.SqliteClient) {
  yield* sql.unsafe(PREPARE)
  const found = yield* sql.unsafe(`SELECT coalesce(max(migration_id), 0) AS version FROM ${MIGRATIONS_TABLE}`)
  const version = Option.match(yield* decodeVersion(found), { onNone: () => 0, onSome: (row) => row.version })
  if (version > SCHEMA_VERSION) return yield* new UnknownSchemaVersion({ found: version, known: SCHEMA_VERSION })
  for (const [index, [name, statements]] of MIGRATIONS.entries()) {
    if (index < version) continue
    for (const statement of statements) yield* sql.unsafe(statement)
    yield* sql.unsafe(`INSERT INTO ${MIGRATIONS_TABLE} (migration_id, name) VALUES (?, ?)`, [index + 1, name])
  }
})

/**
 * Migrates the schema in one transaction, so that only one of several processes does it. The others begin again when they
 * have the lock. Uses a connection of its own, which closes afterwards.
 */
export const migrate = (
  filename: string,
  lockTimeout: Duration.Duration
): Effect.Effect<void, StorageError | UnknownSchemaVersion> =>
  Effect.gen(function*() {
    const sql = yield* SqliteClient.make({ filename, disableWAL: true })
    // SQLite's own waiting would stop the process, in which the lock's holder may be running.
    yield* sql`PRAGMA busy_timeout = 0`
    yield* sql.withTransaction(runMissing(sql)).pipe(
      Effect.retry({
        while: (error) => error._tag === "SqlError" && isBusy(error),
        schedule: patience(lockTimeout)
      }),
      Effect.withClock(realTime)
    )
  }).pipe(
    Effect.catchTag("SqlError", ({ cause }) => new StorageError({ operation: "migrate the database", cause })),
    Effect.scoped,
    Effect.provide(Reactivity.layer)
  )
