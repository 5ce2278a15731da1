import * as SqlClient from "@effect/sql/SqlClient"
import { describe, expect, it } from "@effect/vitest"
import { Chunk, Deferred, Effect, Fiber, Layer, TestClock } from "effect"
import getPort from "get-port"
import * as ListeningServer from "../../src/serving/ListeningServer.ts"
import { sendRaw } from "../http/HttpClient.ts"
import { at } from "../http/JsonPath.ts"
import { connected, TestServer } from "../http/TestServer.ts"
import { composed, databaseOf, noonPlus, temporaryDirectory, within } from "./ComposedServer.ts"

const ready = sendRaw("/health/ready")
const live = sendRaw("/health/live")

/** The names of the checks that failed. */
const failedChecks = Effect.map(ready, ({ json }) => {
  const checks = at(json, "checks")
  return Array.isArray(checks)
    ? checks.filter((check) => at(check, "status") === "fail").map((check) => at(check, "name"))
    : []
})

/** A composed server, and another connection to its database. */
const withDatabase = Layer.unwrapScoped(
  Effect.map(temporaryDirectory, (DATA_DIR) => Layer.provideMerge(databaseOf(DATA_DIR), composed({ DATA_DIR })))
)

describe("/health/live and /health/ready", () => {
  it.scoped("return the checks without credentials", () =>
    Effect.gen(function*() {
      expect(yield* live).toMatchObject({ status: 200, json: { status: "live" } })
      const response = yield* ready
      expect(response).toMatchObject({
        status: 200,
        headers: { "content-type": "application/json", "cache-control": "no-store" },
        json: {
          status: "ready",
          checks: ["storage_read", "storage_write", "ids", "migrations", "background_work"].map((name) => ({
            name,
            status: "pass"
          }))
        }
      })
      expect((yield* sendRaw("/health/ready", { method: "HEAD" })).status).toBe(200)
      expect((yield* sendRaw("/health/ready", { method: "POST", body: {} })).status).toBe(405)
    }).pipe(Effect.provide(composed())))

  it.scoped("a storage that accepts no writes makes the server not ready, but live", () =>
    Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient
      yield* sql`CREATE TRIGGER no_writes BEFORE INSERT ON community_messaging_migrations BEGIN SELECT RAISE(ABORT, 'x'); END`
      expect(yield* ready).toMatchObject({ status: 503, json: { status: "not_ready" } })
      expect(yield* failedChecks).toEqual(["storage_write"])
      expect((yield* live).status).toBe(200)
    }).pipe(Effect.provide(withDatabase)))

  it.scoped("a storage that another process has locked makes the server not ready within a second", () =>
    Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient
      const connection = yield* sql.reserve
      yield* connection.execute("BEGIN IMMEDIATE", [], undefined)
      const answer = yield* Effect.fork(ready)
      // The time of the checks runs from now on.
      yield* within(0, TestClock.sleeps(), Chunk.contains(noonPlus("1 second").epochMillis))
      yield* TestClock.adjust("1 second")
      const { json, status } = yield* Fiber.join(answer)
      expect([status, at(json, "checks", 1)]).toEqual([
        503,
        { name: "storage_write", status: "fail", reason: "no answer within 1s" }
      ])
      yield* connection.execute("ROLLBACK", [], undefined)
    }).pipe(Effect.provide(withDatabase)))

  it.scoped("a database of a newer version of the program makes the server not ready", () =>
    Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient
      yield* sql`INSERT INTO community_messaging_migrations (migration_id, name) VALUES (999, 'newer')`
      expect(yield* failedChecks).toEqual(["migrations"])
    }).pipe(Effect.provide(withDatabase)))

  it.scoped("a report is cached for a second, for any number of requests", () =>
    Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient
      yield* sql`CREATE TABLE probes (at INTEGER)`
      yield* sql`CREATE TRIGGER probed AFTER INSERT ON community_messaging_migrations BEGIN INSERT INTO probes VALUES (1); END`
      const writes = Effect.map(sql`SELECT at FROM probes`, (rows) => rows.length)
      yield* Effect.replicateEffect(ready, 10, { concurrency: "unbounded" })
      expect(yield* writes).toBe(1)
      yield* TestClock.adjust("1 second")
      yield* ready
      expect(yield* writes).toBe(2)
    }).pipe(Effect.provide(withDatabase)))

  it.scoped("are served while the server starts, but the API is not", () =>
    Effect.gen(function*() {
      const gate = yield* Deferred.make<void>()
      const port = yield* Effect.promise(() => getPort({ host: "127.0.0.1" }))
      const origin = `http://127.0.0.1:${port}`
      const begun = yield* Deferred.make<void>()
      const preparation = Effect.zipRight(Deferred.succeed(begun, undefined), Deferred.await(gate))
      const starting = yield* Effect.fork(Layer.build(composed({ PORT: String(port) }, preparation)))
      yield* Deferred.await(begun)
      yield* Effect.gen(function*() {
        expect((yield* live).status).toBe(200)
        expect(yield* ready).toMatchObject({ status: 503, json: { status: "starting", checks: [] } })
        const refused = yield* sendRaw("/v1/openapi.json")
        expect([refused.status, refused.headers["retry-after"]]).toEqual([503, "5"])
        yield* Deferred.succeed(gate, undefined)
        yield* Fiber.join(starting)
        expect((yield* ready).status).toBe(200)
        expect((yield* sendRaw("/v1/openapi.json")).status).toBe(200)
      }).pipe(Effect.provideService(TestServer, { origin }))
    }))

  it.scoped("a server that stops is at once not ready, but live", () =>
    Effect.gen(function*() {
      const client = yield* connected
      const ask = (path: string) => client.write(`GET ${path} HTTP/1.1\r\nHost: x\r\n\r\n`)
      ask("/health/ready")
      yield* client.until(/"ready"/)
      const { drain } = yield* ListeningServer.ListeningServer
      const stopped = yield* Effect.fork(drain)
      yield* Effect.yieldNow()
      ask("/health/ready")
      expect(yield* client.until(/stopping/)).toContain("HTTP/1.1 503")
      yield* Fiber.join(stopped)
    }).pipe(Effect.provide(composed())))
})
