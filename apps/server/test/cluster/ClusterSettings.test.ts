import * as NodeContext from "@effect/platform-node/NodeContext"
import * as PgClient from "@effect/sql-pg/PgClient"
import { describe, expect, it } from "@effect/vitest"
import { ConfigProvider, Deferred, Effect, Exit, Layer, Redacted } from "effect"
import getPort from "get-port"
import { emptyDatabase } from "../../../../test/Postgres.ts"
import * as SecureSockets from "../../src/cluster/SecureSockets.ts"
import { ServerConfiguration } from "../../src/configuration/Configuration.ts"
import * as Setting from "../../src/configuration/Setting.ts"
import * as ServerComposition from "../../src/ServerComposition.ts"
import { query, roleWithoutRights } from "../postgres/Query.ts"
import { scrape, valueOf } from "../telemetry/Scrape.ts"
import { SECRET, until } from "./ClusterServer.ts"

const CLUSTER = { STORAGE: "postgres", MEMBER_INDEX: "sharded", CLUSTER_SECRET: SECRET, PORT: "0" }

/** Starts the server that the program runs with these settings in a cluster on that database. */
const serve = (DATABASE_URL: string, settings: Readonly<Record<string, string>>) =>
  Setting.load(ServerConfiguration, new Map(Object.entries({ ...CLUSTER, DATABASE_URL, ...settings }))).pipe(
    Effect.flatMap((configuration) => Layer.build(ServerComposition.server(configuration, Effect.void))),
    Effect.provide(NodeContext.layer),
    Effect.withConfigProvider(ConfigProvider.fromMap(new Map()))
  )

/** Whether a server with that secret can connect. */
const isLetIn = (host: string, port: number, secret: string) =>
  Effect.scoped(Effect.gen(function*() {
    const opened = yield* Deferred.make<void, unknown>()
    const socket = yield* SecureSockets.connect(host, port, Redacted.make(secret))
    yield* Effect.forkScoped(
      socket.runRaw(() => {}, { onOpen: Effect.asVoid(Deferred.succeed(opened, undefined)) }).pipe(
        Effect.catchAll((error) => Deferred.fail(opened, error))
      )
    )
    return Exit.isSuccess(yield* Effect.exit(Deferred.await(opened)))
  }))

/** Makes the schema and the tables of the cluster, and a role that may use both, with those changes of its rights. */
const servingRole = (changesOf: (name: string) => string) =>
  Effect.gen(function*() {
    const url = yield* emptyDatabase
    yield* Effect.scoped(serve(url, {}))
    const role = yield* roleWithoutRights(url)
    yield* query(
      url,
      `GRANT USAGE, CREATE ON SCHEMA community_messaging TO ${role.name};
      GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA community_messaging TO ${role.name};
      ${changesOf(role.name)}`
    )
    return role
  })

describe("A server of a cluster", () => {
  it.scopedLive("listens on CLUSTER_LISTEN_HOST, and publishes CLUSTER_HOST in the database", () =>
    Effect.gen(function*() {
      const url = yield* emptyDatabase
      const port = yield* Effect.promise(() => getPort({ host: "127.0.0.1" }))
      yield* serve(url, {
        SCHEMA: "chat",
        CLUSTER_HOST: "localhost",
        CLUSTER_LISTEN_HOST: "127.0.0.2",
        CLUSTER_PORT: String(port)
      })
      expect(yield* isLetIn("127.0.0.2", port, SECRET)).toBe(true)
      expect(yield* isLetIn("127.0.0.2", port, `not ${SECRET}`)).toBe(false)
      expect(yield* isLetIn("127.0.0.1", port, SECRET)).toBe(false)
      const registered = Effect.flatMap(
        PgClient.PgClient,
        (sql) => sql<{ address: string }>`SELECT address FROM chat.cluster_runners`
      )
      const runners = yield* until(registered, ({ length }) => length > 0).pipe(
        Effect.provide(PgClient.layer({ url: Redacted.make(url) }))
      )
      expect(runners).toEqual([{ address: `localhost:${port}` }])
    }))

  it.scopedLive("takes over the shards of killed servers after the database's clock went back by a day", () =>
    Effect.gen(function*() {
      const url = yield* emptyDatabase
      yield* Effect.gen(function*() {
        const sql = yield* PgClient.PgClient
        const later = sql`now() + interval '1 day'`
        const owned = Effect.map(
          sql`SELECT FROM chat.cluster_locks WHERE acquired_at < now() + interval '1 hour'`,
          ({ length }) => length
        )
        const ownsAll = until(owned, (shards) => shards === 300)
        yield* Effect.scoped(Effect.gen(function*() {
          yield* serve(url, { SCHEMA: "chat" })
          yield* ownsAll
          yield* sql`CREATE TABLE runners AS SELECT address, runner, ${later}, healthy FROM chat.cluster_runners`
          yield* sql`CREATE TABLE locks AS SELECT shard_id, address, ${later} FROM chat.cluster_locks`
        }))
        // A server that stops removes its rows, a killed one does not.
        yield* sql`INSERT INTO chat.cluster_runners (address, runner, last_heartbeat, healthy) SELECT * FROM runners`
        yield* sql`INSERT INTO chat.cluster_locks SELECT * FROM locks`
        expect(yield* owned).toBe(0)
        yield* serve(url, { SCHEMA: "chat" })
        expect(yield* ownsAll).toBe(300)
      }).pipe(Effect.provide(PgClient.layer({ url: Redacted.make(url) })))
    }))

  it.scopedLive("reports its shards on METRICS_PORT", () =>
    Effect.gen(function*() {
      const context = yield* serve(yield* emptyDatabase, { METRICS_PORT: "0" })
      const scraped = Effect.provide(scrape, context)
      expect(valueOf(yield* scraped, "effect_cluster_runners_healthy")).toBe(1)
      yield* until(scraped, (now) => valueOf(now, "effect_cluster_shards") === 300)
      const names = (yield* scraped).samples.map(({ name }) => name)
      expect(names.filter((name) => name.startsWith("effect_fiber"))).toEqual([])
    }))

  it.scopedLive("does not start if it cannot listen for others", () =>
    Effect.gen(function*() {
      const error = yield* Effect.flip(serve(yield* emptyDatabase, { CLUSTER_HOST: "192.0.2.1" }))
      expect(error).toMatchObject({ _tag: "ListenError", where: "for other servers on CLUSTER_HOST and CLUSTER_PORT" })
    }))

  it.scopedLive("does not start if its role may not remove rows from the tables of the cluster", () =>
    Effect.gen(function*() {
      const role = yield* servingRole((name) => `REVOKE DELETE ON community_messaging.cluster_runners FROM ${name}`)
      expect(yield* Effect.flip(serve(role.url, { MIGRATE: "off" }))).toMatchObject({
        _tag: "DatabaseUnusable",
        reason: "join the cluster: permission denied for table cluster_runners"
      })
    }))

  it.scopedLive("does not start, with a reason, if the database refuses the connections of the cluster", () =>
    Effect.gen(function*() {
      const role = yield* servingRole((name) => `ALTER ROLE ${name} CONNECTION LIMIT 1`)
      expect(yield* Effect.flip(serve(role.url, { MIGRATE: "off" }))).toMatchObject({
        _tag: "DatabaseUnusable",
        reason: `join the cluster: too many connections for role "${role.name}"`
      })
    }))
})
