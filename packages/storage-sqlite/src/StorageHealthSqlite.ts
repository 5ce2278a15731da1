import { StorageHealth } from "@community-messaging/domain/shared-kernel/StorageHealth"
import { Database } from "@community-messaging/storage-sql/Database"
import * as Rows from "@community-messaging/storage-sql/Rows"
import { attempt } from "@community-messaging/storage-sql/SqlFailure"
import { Fragment } from "@community-messaging/storage-sql/Statements"
import { Effect, Layer } from "effect"
import { MIGRATIONS_TABLE, SCHEMA_VERSION } from "./Migrations.ts"

const table = new Fragment(MIGRATIONS_TABLE)

/** `StorageHealth` on SQLite. A write goes the way of all writes: through the writer and onto the disk. */
export const layer: Layer.Layer<StorageHealth, never, Database> = Layer.effect(
  StorageHealth,
  Effect.map(Database, ({ sql, write }) => {
    const version = sql`SELECT coalesce(max(migration_id), 0) AS value FROM ${table}`.pipe(
      Effect.flatMap(Rows.decodeInteger(MIGRATIONS_TABLE)),
      attempt("read the version of the schema")
    )
    // A row that comes and goes in a transaction changes a page, which has to be written.
    const comeAndGo = Effect.zipRight(
      sql`INSERT INTO ${table} (migration_id, name) VALUES (0, '')`,
      sql`DELETE FROM ${table} WHERE migration_id = 0`
    )
    return {
      read: Effect.asVoid(version),
      write: Effect.asVoid(write(attempt("write to the database")(comeAndGo))),
      isMigrated: Effect.map(version, (found) => found === SCHEMA_VERSION)
    }
  })
)
