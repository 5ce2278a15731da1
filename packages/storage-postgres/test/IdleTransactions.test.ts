import * as PostgresDatabase from "@community-messaging/storage-postgres/PostgresDatabase"
import { Database } from "@community-messaging/storage-sql/Database"
import { describe, expect, it } from "@effect/vitest"
import { Context, Effect, Layer, Redacted } from "effect"
import { migrated } from "./TemporaryDatabase.ts"

/** A database whose process ends units of work that are idle for three seconds. */
const database = Effect.flatMap(migrated, (url) =>
  Effect.map(
    Layer.build(PostgresDatabase.layer({ url: Redacted.make(url), idleTimeout: "3 seconds" })),
    Context.get(Database)
  ))

describe("PostgreSQL itself ends a transaction of a process that has stopped", () => {
  it.scoped("after twice the time in which a unit of work may be idle", () =>
    Effect.gen(function*() {
      const { atomically, sql } = yield* database
      expect(yield* atomically(sql`SHOW idle_in_transaction_session_timeout`))
        .toEqual([{ idle_in_transaction_session_timeout: "6s" }])
    }))

  it.scoped("after ten minutes if it is a snapshot", () =>
    Effect.gen(function*() {
      const { snapshot, sql } = yield* database
      expect(yield* snapshot(sql`SHOW idle_in_transaction_session_timeout`))
        .toEqual([{ idle_in_transaction_session_timeout: "10min" }])
    }))
})
