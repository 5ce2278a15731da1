import { StorageHealth } from "@community-messaging/domain/shared-kernel/StorageHealth"
import { Effect, Layer, Random } from "effect"
import { Database } from "./Database.ts"
import { MIGRATIONS_TABLE, schemaVersion as readVersion } from "./SchemaVersion.ts"
import { attempt } from "./SqlFailure.ts"
import { Fragment } from "./Statements.ts"

/** The smallest integer of four bytes. Migrations have positive numbers. */
const LEAST_INTEGER = -(2 ** 31)

/** `StorageHealth` in SQL, for this version of the schema. A write is a normal unit of work, up to the disk. */
export const layer = (schemaVersion: number): Layer.Layer<StorageHealth, never, Database> =>
  Layer.effect(
    StorageHealth,
    Effect.map(Database, ({ sql, write }) => {
      const table = new Fragment(MIGRATIONS_TABLE)
      const version = attempt("read the version of the schema")(readVersion((text) => sql`${new Fragment(text)}`))
      // A row that is inserted and deleted in a transaction must be written to the disk. Each check has a row of its own:
      // with the same key, the checks of all servers would wait for that of a server that has stopped in the middle.
      const insertAndDelete = Effect.flatMap(Random.nextIntBetween(LEAST_INTEGER, 0), (id) =>
        Effect.zipRight(
          sql`INSERT INTO ${table} (migration_id, name) VALUES (${id}, '')`,
          sql`DELETE FROM ${table} WHERE migration_id = ${id}`
        ))
      return {
        read: Effect.asVoid(version),
        write: Effect.asVoid(write(attempt("write to the database")(insertAndDelete))),
        isMigrated: Effect.map(version, (found) => found === schemaVersion)
      }
    })
  )
