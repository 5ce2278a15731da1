import * as SqlClient from "@effect/sql/SqlClient"
import { describe, expect, it } from "@effect/vitest"
import { Effect, Redacted } from "effect"
import { once } from "node:events"
import { emptyDatabase } from "../../../../test/Postgres.ts"
import * as ClusterDatabase from "../../src/cluster/ClusterDatabase.ts"

const connected = Effect.map(
  emptyDatabase,
  (url) => ClusterDatabase.client({ url: Redacted.make(url), schema: "chat", poolSize: 10 })
)

/** The warnings of the process during the effect: Node emits them a turn later. */
const warningsDuring = <A, E, R>(effect: Effect.Effect<A, E, R>) =>
  Effect.gen(function*() {
    const emitted: Array<string> = []
    const note = ({ message, name }: Error) => emitted.push(`${name}: ${message}`)
    process.on("warning", note)
    yield* effect
    const last = once(process, "warning")
    process.emitWarning("the last one")
    yield* Effect.promise(() => last)
    process.off("warning", note)
    return emitted
  })

describe("The cluster's connections to the database", () => {
  it.scopedLive("have the schema of the service, timeouts and UTC, and keep other options of the URL", () =>
    Effect.gen(function*() {
      const url = new URL(yield* emptyDatabase)
      url.searchParams.set("options", "-c work_mem=1MB -c statement_timeout=0 -c TimeZone=Europe/Berlin")
      const database = { url: Redacted.make(url.href), schema: "chat", poolSize: 10 }
      const shown = yield* Effect.gen(function*() {
        const sql = yield* SqlClient.SqlClient
        return yield* sql`
          SELECT name, setting FROM pg_settings
          WHERE name IN ('search_path', 'statement_timeout', 'lock_timeout', 'idle_in_transaction_session_timeout',
            'work_mem', 'application_name', 'TimeZone')
        `
      }).pipe(Effect.provide(ClusterDatabase.client(database)))
      expect(Object.fromEntries(shown.map(({ name, setting }) => [name, setting]))).toEqual({
        TimeZone: "UTC",
        application_name: "community-messaging cluster",
        idle_in_transaction_session_timeout: "5000",
        lock_timeout: "5000",
        search_path: "chat",
        statement_timeout: "5000",
        work_mem: "1024"
      })
    }))

  it.scopedLive("accept several statements at once without a warning", () =>
    Effect.gen(function*() {
      const statements = Effect.scoped(Effect.gen(function*() {
        const sql = yield* SqlClient.SqlClient
        const connection = yield* sql.reserve
        const texts = ["SELECT 1 AS n", "SELECT 2 AS n", "SELECT 3 AS n"]
        return yield* Effect.forEach(texts, (text) => connection.executeRaw(text, []), { concurrency: "unbounded" })
      }))
      expect(yield* warningsDuring(Effect.provide(statements, yield* connected))).toEqual(["Warning: the last one"])
    }))
})
