import type { StorageError } from "@community-messaging/domain/shared-kernel/StorageError"
import { Database, type Dialect } from "@community-messaging/storage-sql/Database"
import * as Statements from "@community-messaging/storage-sql/Statements"
import * as Units from "@community-messaging/storage-sql/Units"
import { Context, Effect, Layer } from "effect"
import * as AdvisoryLocks from "./AdvisoryLocks.ts"
import * as CommitOrder from "./CommitOrder.ts"
import * as ConnectionPool from "./ConnectionPool.ts"
import * as GroupCommit from "./GroupCommit.ts"
import * as Migrations from "./Migrations.ts"
import { isTaken } from "./PostgresFailure.ts"
import { type PostgresOptions, settingsOf } from "./PostgresOptions.ts"

/** The server of the database, for features that `Database` does not have. */
export class PostgresServer
  extends Context.Tag("@community-messaging/storage-postgres/PostgresServer")<PostgresServer, {
    /** The connections, for snapshots, rows as arrays and commands. */
    readonly pool: ConnectionPool.ConnectionPool
    /** The logs of events and of member changes, which follow the commits. */
    readonly logs: Pick<CommitOrder.CommitOrder, "horizon" | "settled">
  }>()
{}

const dialect: Dialect = {
  isTaken,
  skipLocked: Statements.fragment`FOR NO KEY UPDATE SKIP LOCKED`,
  // The update locks the row.
  keepExisting: (column) =>
    new Statements.Fragment(`ON CONFLICT (${column}) DO UPDATE SET ${column} = excluded.${column}`),
  newEvents: Statements.fragment`new_events`,
  // Not the sequence itself: a role without a right to it gets no number here, and there an error.
  lastEventNumber: Statements.fragment`
    SELECT last_value AS value FROM pg_sequences
    WHERE schemaname = current_schema() AND sequencename = 'events_sequence_seq' AND last_value IS NOT NULL
  `,
  byBytes: Statements.fragment`COLLATE "C"`
}

const open = (options: PostgresOptions) =>
  Effect.gen(function*() {
    const settings = settingsOf(options)
    const pool = yield* ConnectionPool.make(settings)
    yield* Migrations.prepare(pool, settings)
    const { horizon, notifications, settled, wake } = yield* CommitOrder.make(settings)
    const units = Units.make({
      read: pool.read,
      ...GroupCommit.make({ pool, idleMillis: settings.idleMillis, wake }),
      lock: AdvisoryLocks.taking(settings.schema),
      wake
    })
    return Context.make(Database, {
      ...units,
      dialect,
      settled: Effect.flatMap(units.isInside, (inside) => inside ? Effect.void : settled),
      notifications
    }).pipe(Context.add(PostgresServer, { pool, logs: { horizon, settled } }))
  })

/** The database of the URL. */
export const layer = (
  options: PostgresOptions
): Layer.Layer<
  Database | PostgresServer,
  StorageError | Migrations.UnknownSchemaVersion | Migrations.SchemaNotMigrated
> => Layer.scopedContext(open(options))
