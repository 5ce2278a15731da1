import { DeletedData } from "@community-messaging/domain/shared-kernel/DeletedData"
import { attempt } from "@community-messaging/storage-sql/SqlFailure"
import { Effect, Layer } from "effect"
import { PostgresServer } from "./PostgresDatabase.ts"

/** The tables with data of accounts, webhooks and events whose rows are deleted or replaced. */
const TABLES = [
  "users",
  "credentials",
  "memberships",
  "channels",
  "webhooks",
  "webhook_deliveries",
  "avatars",
  "scheduled_messages",
  "consents",
  "authorization_codes",
  "access_grants",
  "events",
  "new_events",
  "member_changes",
  "new_member_changes"
]

/** How long the vacuum of a table may take, in milliseconds. */
const VACUUM_MILLIS = 24 * 3_600_000

/**
 * `DeletedData` on PostgreSQL: a vacuum removes row versions that no transaction can see any more. It skips tables that
 * another server vacuums now, and tables of other roles. It does not report versions that a transaction still sees, which
 * the next vacuum removes, so a purge always returns true.
 */
export const layer: Layer.Layer<DeletedData, never, PostgresServer> = Layer.effect(
  DeletedData,
  Effect.map(PostgresServer, ({ pool }) => ({
    purge: Effect.uninterruptibleMask((restore) =>
      Effect.flatMap(pool.acquire(restore), (connection) => {
        const vacuum = Effect.forEach(TABLES, (table) =>
          connection.command(`VACUUM (SKIP_LOCKED) ${table}`, VACUUM_MILLIS), {
          discard: true
        })
        // A vacuum may take long, but waits for no lock.
        return connection.command("SET statement_timeout TO 0").pipe(
          Effect.zipRight(restore(vacuum)),
          Effect.ensuring(Effect.sync(() =>
            pool.discard(connection)
          )),
          attempt("vacuum the database"),
          Effect.as(true)
        )
      })
    )
  }))
)
