import { DeletedData } from "@community-messaging/domain/shared-kernel/DeletedData"
import type { Connection } from "@community-messaging/storage-postgres/Connection"
import * as ConnectionPool from "@community-messaging/storage-postgres/ConnectionPool"
import * as DeletedDataPostgres from "@community-messaging/storage-postgres/DeletedDataPostgres"
import { PostgresServer } from "@community-messaging/storage-postgres/PostgresDatabase"
import { settingsOf } from "@community-messaging/storage-postgres/PostgresOptions"
import { describe, expect, it } from "@effect/vitest"
import { Effect, Redacted } from "effect"
import { migrated } from "./TemporaryDatabase.ts"

/** A pool of one connection, with this timeout of statements. */
const poolOfOne = Effect.flatMap(
  migrated,
  (url) => ConnectionPool.make(settingsOf({ url: Redacted.make(url), poolSize: 1, statementTimeout: "20 seconds" }))
)

const purgeOn = (pool: ConnectionPool.ConnectionPool) =>
  Effect.flatMap(DeletedData, ({ purge }) => purge).pipe(
    Effect.provide(DeletedDataPostgres.layer),
    Effect.provideService(PostgresServer, { pool, logs: { horizon: () => "0", settled: Effect.void } })
  )

const SHOW = "SHOW statement_timeout"

describe("the timeout of statements", () => {
  it.scoped("does not hold for the vacuum of a purge", () =>
    Effect.gen(function*() {
      const pool = yield* poolOfOne
      const used: Array<Connection> = []
      yield* purgeOn({ ...pool, discard: (connection) => void used.push(connection) })
      expect(yield* Effect.forEach(used, ({ run }) => run(SHOW, []))).toEqual([[{ statement_timeout: "0" }]])
      used.forEach(pool.discard)
    }))

  it.scoped("holds again after a purge", () =>
    Effect.gen(function*() {
      const pool = yield* poolOfOne
      yield* purgeOn(pool)
      expect(yield* pool.read(SHOW, [])).toEqual([{ statement_timeout: "20s" }])
    }))
})
