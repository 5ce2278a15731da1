import * as Migrations from "@community-messaging/storage-postgres/Migrations"
import { DEFAULT_SCHEMA } from "@community-messaging/storage-postgres/PostgresOptions"
import * as StoragePostgres from "@community-messaging/storage-postgres/StoragePostgres"
import * as PgClient from "@effect/sql-pg/PgClient"
import { Effect, Layer, Redacted, Scope } from "effect"
import { Client } from "pg"
import { emptyDatabase } from "../../../test/Postgres.ts"

/*
 * Tests take databases of the same schema from a store, and return them empty: to create one takes fifty times as long as to
 * empty it. The store exists until the process ends.
 */
const idle: Array<{ readonly url: string; readonly client: Client }> = []

const migratedDatabase = Effect.gen(function*() {
  const url = yield* Scope.extend(emptyDatabase, yield* Scope.make())
  yield* Migrations.migrate({ url: Redacted.make(url) })
  const client = new Client({ connectionString: url })
  // The server may stop before the process.
  client.on("error", () => {})
  yield* Effect.promise(() => client.connect())
  return { url, client }
})

/** Removes all rows without checks and triggers, and restarts all sequences. */
const EMPTY = `
  DO $$
  DECLARE
    name text;
  BEGIN
    SET LOCAL session_replication_role TO replica;
    SET LOCAL search_path TO ${DEFAULT_SCHEMA};
    FOR name IN SELECT tablename FROM pg_tables WHERE schemaname = '${DEFAULT_SCHEMA}' LOOP
      IF name NOT IN ('community_messaging_migrations', 'worker_leases') THEN
        EXECUTE format('DELETE FROM %I', name);
      END IF;
    END LOOP;
    FOR name IN SELECT sequencename FROM pg_sequences WHERE schemaname = '${DEFAULT_SCHEMA}' LOOP
      PERFORM setval(name::regclass, 1, false);
    END LOOP;
  END $$`

/** The URL of a database that has the schema and no data. */
export const migrated = Effect.acquireRelease(
  Effect.suspend(() => {
    const kept = idle.pop()
    return kept === undefined ? migratedDatabase : Effect.succeed(kept)
  }),
  (database) => Effect.map(Effect.promise(() => database.client.query(EMPTY)), () => void idle.push(database))
).pipe(Effect.map(({ url }) => url))

/** A storage in a separate database. */
export const temporaryStorage = Layer.unwrapScoped(
  Effect.map(migrated, (url) => StoragePostgres.layer({ url: Redacted.make(url) }))
)

/** The same URL with the schema as the search path, for other clients. */
export const withSearchPath = (url: string): string => {
  const own = new URL(url)
  own.searchParams.set("options", `-c search_path=${DEFAULT_SCHEMA}`)
  return own.href
}

/** A storage in a separate database, together with another client of that database. */
export const temporaryStorageWithClient = Layer.unwrapScoped(
  Effect.map(migrated, (url) =>
    Layer.merge(
      StoragePostgres.layer({ url: Redacted.make(url) }),
      PgClient.layer({ url: Redacted.make(withSearchPath(url)), maxConnections: 3 })
    ))
)
