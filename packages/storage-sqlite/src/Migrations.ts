import { StorageError } from "@community-messaging/domain/StorageError"
import { Reactivity } from "@effect/experimental"
import { Migrator, SqlClient, Statement } from "@effect/sql"
import { Effect, Schema } from "effect"
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
import type { Transactions } from "./Transactions.ts"

// What was released is never edited: a change of the schema is a new migration.
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

/** The table that tells which migrations were run; an embedder's own may stand beside it. */
export const MIGRATIONS_TABLE = "community_messaging_migrations"

/** The database was written by a newer version of this program. */
export class UnknownSchemaVersion extends Schema.TaggedError<UnknownSchemaVersion>()("UnknownSchemaVersion", {
  found: Schema.Int,
  known: Schema.Int
}) {
  override get message(): string {
    return `The database has schema version ${this.found}, and this program knows versions up to ${this.known}. ` +
      "It was written by a newer version of the program: run that one, or restore a backup from before it."
  }
}

const loader = Migrator.fromRecord(Object.fromEntries(
  MIGRATIONS.map(([name, statements], index) => [
    `${index + 1}_${name}`,
    Effect.flatMap(
      SqlClient.SqlClient,
      (sql) => Effect.forEach(statements, (statement) => sql.unsafe(statement), { discard: true })
    )
  ])
))

const Version = Schema.Tuple(Schema.Struct({ version: Schema.Int }))

const refuseNewer = Effect.gen(function*() {
  const sql = yield* SqlClient.SqlClient
  const [{ version }] = yield* Effect.flatMap(
    sql`SELECT coalesce(max(migration_id), 0) AS version FROM ${sql(MIGRATIONS_TABLE)}`,
    Schema.decodeUnknown(Version)
  )
  if (version > SCHEMA_VERSION) return yield* new UnknownSchemaVersion({ found: version, known: SCHEMA_VERSION })
})

/** Brings the schema up to date, in one transaction: a database of two processes is migrated by one of them. */
export const migrate = (transactions: Transactions): Effect.Effect<void, StorageError | UnknownSchemaVersion> =>
  Effect.gen(function*() {
    const connection = yield* transactions.connection
    const sql = yield* SqlClient.make({
      acquirer: Effect.succeed(connection),
      compiler: Statement.makeCompilerSqlite(),
      spanAttributes: []
    })
    yield* Migrator.make({})({ loader, table: MIGRATIONS_TABLE }).pipe(
      Effect.zipRight(refuseNewer),
      Effect.provideService(SqlClient.SqlClient, sql),
      // The migrator's own transaction becomes a part of this one.
      Effect.provideService(SqlClient.TransactionConnection, [connection, 0])
    )
  }).pipe(
    Effect.scoped,
    Effect.provide(Reactivity.layer),
    Effect.catchAllDefect(Effect.fail),
    transactions.atomically,
    Effect.mapError((error) =>
      error instanceof UnknownSchemaVersion || error instanceof StorageError
        ? error
        : new StorageError({ operation: "migrate the database", cause: error })
    )
  )
