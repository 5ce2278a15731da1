import * as ConnectionPool from "@community-messaging/storage-postgres/ConnectionPool"
import { settingsOf } from "@community-messaging/storage-postgres/PostgresOptions"
import { expect, it } from "@effect/vitest"
import { Effect, Redacted } from "effect"
import { emptyDatabase } from "../../../test/Postgres.ts"
import { clientOf } from "./SharedTransactions.ts"

/** Sets limits for the database: `transaction_timeout` if it knows that one. */
const LIMITS = `
  DO $$
  DECLARE
    limit_name text;
  BEGIN
    FOR limit_name IN SELECT name FROM pg_settings WHERE name IN ('statement_timeout', 'transaction_timeout') LOOP
      EXECUTE format('ALTER DATABASE %I SET %I TO 100', current_database(), limit_name);
    END LOOP;
  END $$`

it.scopedLive("limits of the database for statements and transactions do not end the work of the service", () =>
  Effect.gen(function*() {
    const url = yield* emptyDatabase
    const client = yield* clientOf(url)
    yield* Effect.promise(() => client.query(LIMITS))
    const pool = yield* ConnectionPool.make(settingsOf({ url: Redacted.make(url) }))
    const slept = pool.use((connection) => {
      connection.begin("BEGIN")
      return Effect.zipLeft(connection.run("SELECT 'slept' AS value FROM pg_sleep(0.2)", []), connection.end("COMMIT"))
    })
    expect(yield* slept).toEqual([{ value: "slept" }])
  }))
