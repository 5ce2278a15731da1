import type { GuildId } from "@community-messaging/domain/guild/Guild"
import { ScheduledMessageRepository } from "@community-messaging/domain/scheduled-message/ScheduledMessageRepository"
import { EventLog } from "@community-messaging/domain/shared-kernel/EventLog"
import * as Snowflake from "@community-messaging/domain/shared-kernel/Snowflake"
import { SnowflakeGenerator } from "@community-messaging/domain/shared-kernel/SnowflakeGenerator"
import { MembersIndexedAtOnce } from "@community-messaging/member-index/GuildIndexes"
import * as NodeContext from "@effect/platform-node/NodeContext"
import * as FileSystem from "@effect/platform/FileSystem"
import * as SqlClient from "@effect/sql/SqlClient"
import { describe, expect, it } from "@effect/vitest"
import {
  Chunk,
  DateTime,
  Deferred,
  Duration,
  Effect,
  Exit,
  Fiber,
  Layer,
  Option,
  Record,
  Redacted,
  TestClock
} from "effect"
import { request } from "node:http"
import * as Health from "../../src/serving/Health.ts"
import * as ListeningServer from "../../src/serving/ListeningServer.ts"
import { expectError, expectViolations } from "../http/Expectations.ts"
import * as Fixtures from "../http/Fixtures.ts"
import { send } from "../http/HttpClient.ts"
import { at } from "../http/JsonPath.ts"
import * as RawClient from "../http/RawClient.ts"
import {
  atRest,
  composed,
  databaseFile,
  databaseOf,
  NOON,
  noonPlus,
  temporaryDirectory,
  within
} from "./ComposedServer.ts"

const LIST = "/v1/users/@me/scheduled-messages"
const DELETION = "/v1/admin/users/schedule-deletion"

/** Whether there is a database in that directory. */
const hasDatabase = (directory: string) =>
  Effect.gen(function*() {
    const files = yield* FileSystem.FileSystem
    return yield* files.exists(yield* databaseFile(directory))
  }).pipe(Effect.provide(NodeContext.layer))

/** An administrator schedules the deletion of an account, without a time. */
const scheduleDeletion = Effect.gen(function*() {
  const { token } = yield* Fixtures.adminKey("user:delete")
  const { id } = yield* Fixtures.person()
  return yield* send(DELETION, { admin: token, body: { user_id: id, reason_code: 1 } })
})

/** A guild of a bot, which searches all its members. */
const searchable = Effect.map(Fixtures.botWithGuild, ({ guild, token, user }) => ({
  guildId: guild.id,
  user,
  search: (body: object = {}) => send(`/v1/guilds/${guild.id}/members-search`, { bot: token, body })
}))

const join = (guildId: GuildId) => Effect.flatMap(Fixtures.person(), ({ id }) => Fixtures.member(guildId, id))

describe("where the server listens", () => {
  it.scoped("HOST is the address", () =>
    Effect.gen(function*() {
      expect((yield* ListeningServer.ListeningServer).address.hostname).toBe("0.0.0.0")
    }).pipe(Effect.provide(composed({ HOST: "0.0.0.0" }))))

  it.scoped("PORT is the port, which must be free", () =>
    Effect.gen(function*() {
      const other = yield* Layer.build(
        ListeningServer.layer({ host: "127.0.0.1", port: 0, shutdownTimeout: Duration.zero }).pipe(
          Layer.provide(Health.layer)
        )
      )
      const { address: { port } } = yield* Effect.provide(ListeningServer.ListeningServer, other)
      const error = yield* Effect.flip(Layer.build(composed({ PORT: String(port) })))
      expect(error).toMatchObject({ _tag: "ListenError", cause: { code: "EADDRINUSE", port } })
    }))
})

describe("where the server stores its data", () => {
  it.scoped("DATA_DIR is the folder of the database, which is created if necessary", () =>
    Effect.gen(function*() {
      const DATA_DIR = `${yield* temporaryDirectory}/to/be/made`
      yield* Layer.build(composed({ DATA_DIR }))
      expect(yield* hasDatabase(DATA_DIR)).toBe(true)
    }))

  it.scoped("STORAGE=memory creates no database", () =>
    Effect.gen(function*() {
      const DATA_DIR = yield* temporaryDirectory
      yield* Layer.build(composed({ DATA_DIR, STORAGE: "memory" }))
      expect(yield* hasDatabase(DATA_DIR)).toBe(false)
    }))
})

describe("SNOWFLAKE_EPOCH", () => {
  const since2020 = composed({ SNOWFLAKE_EPOCH: "2020-01-01" })

  it.scoped("is the time from which new ids count", () =>
    Effect.gen(function*() {
      const id = yield* Effect.flatMap(SnowflakeGenerator, ({ next }) => next)
      expect(Snowflake.createdAt(id, Date.UTC(2020, 0, 1))).toEqual(NOON)
    }).pipe(Effect.provide(since2020)))

  it.scoped("cannot be changed for existing data", () =>
    Effect.gen(function*() {
      const DATA_DIR = yield* temporaryDirectory
      yield* Effect.scoped(Layer.build(atRest({ DATA_DIR })))
      const another = Layer.build(atRest({ DATA_DIR, SNOWFLAKE_EPOCH: "2020-01-01" }))
      expect(yield* Effect.flip(another)).toMatchObject({
        _tag: "SnowflakeEpochMismatch",
        configured: Date.UTC(2020, 0, 1),
        ofData: Date.UTC(2015, 0, 1)
      })
    }))
})

describe("DEFAULT_DAYS_UNTIL_DELETION", () => {
  it.scoped("is the time until a deletion if the request has none", () =>
    Effect.gen(function*() {
      const { json } = yield* scheduleDeletion
      expect(at(json, "user", "pending_deletion_at")).toBe(DateTime.formatIso(noonPlus("3 days")))
    }).pipe(Effect.provide(composed({ DEFAULT_DAYS_UNTIL_DELETION: "3" }))))
})

describe("RATE_LIMITS", () => {
  /** Whether a bot may list its messages once more than the limit allows. */
  const oneTooMany = Effect.gen(function*() {
    const { token } = yield* Fixtures.bot
    yield* Effect.replicateEffect(send(LIST, { bot: token }), 40, { discard: true })
    return (yield* send(LIST, { bot: token })).status
  })

  it.scoped("apply by default", () =>
    Effect.gen(function*() {
      expect(yield* oneTooMany).toBe(429)
    }).pipe(Effect.provide(composed())))

  it.scoped("do not apply when they are off", () =>
    Effect.gen(function*() {
      expect(yield* oneTooMany).toBe(200)
    }).pipe(Effect.provide(composed({ RATE_LIMITS: "off" }))))
})

describe("the limit of a bucket is a setting", () => {
  /** Requests that are sent twice, while one is allowed. */
  const operations = {
    RATE_LIMIT_CONSENT: Effect.map(
      Fixtures.bot,
      ({ token }) => send("/v1/oauth2/authorize/consent", { bot: token, body: {} })
    ),
    RATE_LIMIT_SCHEDULED_MESSAGES: Effect.map(Fixtures.bot, ({ token }) => send(LIST, { bot: token })),
    RATE_LIMIT_MEMBER_SEARCH: Effect.map(searchable, ({ search }) => search()),
    RATE_LIMIT_ADMINISTRATION: Effect.map(
      Fixtures.adminKey("*"),
      ({ token }) => send(DELETION, { admin: token, body: {} })
    ),
    RATE_LIMIT_WEBHOOK_UPDATE: Effect.map(Fixtures.webhook, ({ path }) => send(path, { method: "PATCH", body: {} })),
    RATE_LIMIT_WEBHOOK_AVATAR: Effect.map(
      Fixtures.webhook,
      ({ path }) => send(path, { method: "PATCH", body: { avatar: "data:;base64,AAAA" } })
    ),
    RATE_LIMIT_WEBHOOK_NOTIFICATION: Effect.map(Fixtures.webhook, ({ path }) => send(`${path}/sentry`, { body: {} })),
    RATE_LIMIT_BODY: Effect.map(Fixtures.webhook, ({ path }) => send(`${path}/sentry`, { body: " ".repeat(300_000) })),
    RATE_LIMIT_AUTHENTICATION: Effect.succeed(send(LIST)),
    RATE_LIMIT_GLOBAL: Effect.map(Fixtures.bot, ({ token }) => send(LIST, { bot: token }))
  }

  it.scoped.each(Record.toEntries(operations))("%s", ([name, operation]) =>
    Effect.gen(function*() {
      const once = yield* operation
      const first = yield* once
      const second = yield* once
      expect([first.status === 429, second.status, second.headers["retry-after"]]).toEqual([false, 429, "7"])
    }).pipe(Effect.provide(composed({ [name]: "1/7 seconds" }))))
})

describe("PUBLIC_URL", () => {
  const behindProxy = composed({ PUBLIC_URL: "https://chat.example/api/" })

  it.scoped("is the base of the page after consent if the application has no page of its own", () =>
    Effect.gen(function*() {
      const { token } = yield* Fixtures.bot
      const application = yield* Fixtures.application([], Option.some((yield* Fixtures.person({ bot: true })).id))
      const body = { client_id: application.id, scope: "bot" }
      const { json } = yield* send("/v1/oauth2/authorize/consent", { bot: token, body })
      expect(at(json, "redirect_to")).toMatch(/^https:\/\/chat\.example\/api\/v1\/oauth2\/authorized\?code=cmc_/)
    }).pipe(Effect.provide(behindProxy)))

  it.scoped("is the server of the OpenAPI document", () =>
    Effect.gen(function*() {
      expect(at((yield* send("/v1/openapi.json")).json, "servers", 0, "url")).toBe("https://chat.example/api")
    }).pipe(Effect.provide(behindProxy)))

  it.scoped("is the address of the server by default", () =>
    Effect.gen(function*() {
      const { address: { port } } = yield* ListeningServer.ListeningServer
      expect(at((yield* send("/v1/openapi.json")).json, "servers", 0, "url")).toBe(`http://127.0.0.1:${port}`)
    }).pipe(Effect.provide(composed())))
})

describe("TRUST_PROXY", () => {
  const from = (address: string) => send(LIST, { headers: { "x-forwarded-for": address } })

  it.scoped("counts failed authentications by the addresses that these proxies report", () =>
    Effect.gen(function*() {
      yield* Effect.replicateEffect(from("192.0.2.1"), 30, { discard: true })
      const statuses = [(yield* from("192.0.2.1")).status, (yield* from("192.0.2.2")).status]
      expect(statuses).toEqual([429, 401])
    }).pipe(Effect.provide(composed({ TRUST_PROXY: "1" }))))
})

/** A connection without requests so far. It must end before the server, which would wait for it. */
const opened = Effect.flatMap(ListeningServer.ListeningServer, ({ address: { port } }) => RawClient.open(port))

const ask = (client: RawClient.RawClient) => client.write("GET /nowhere HTTP/1.1\r\nHost: x\r\n\r\n")

/** The status of the response on a second connection. */
const secondConnection = Effect.scoped(Effect.gen(function*() {
  yield* opened
  const second = yield* opened
  ask(second)
  return RawClient.statuses(yield* second.until(/\}$/))[0]
}))

describe("MAX_CONNECTIONS and MAX_CONNECTIONS_PER_ADDRESS", () => {
  it.scoped.each([
    { settings: { MAX_CONNECTIONS: "1" }, status: 503 },
    { settings: { MAX_CONNECTIONS_PER_ADDRESS: "1" }, status: 429 },
    // All connections have the address of the proxy.
    { settings: { MAX_CONNECTIONS_PER_ADDRESS: "1", TRUST_PROXY: "1" }, status: 404 }
  ])("are the maximum numbers of open connections: %j", ({ settings, status }) =>
    Effect.gen(function*() {
      expect(yield* secondConnection).toBe(status)
    }).pipe(Effect.provide(composed(settings))))
})

/** The time of an idle connection in the header `Keep-Alive`, in seconds. */
const keptAlive = Effect.scoped(Effect.gen(function*() {
  const client = yield* opened
  ask(client)
  return Number(/^keep-alive: timeout=(\d+)/im.exec(yield* client.until(/\}$/))?.[1])
}))

describe("KEEP_ALIVE_TIMEOUT", () => {
  it.scoped("is how long a connection may be idle", () =>
    Effect.gen(function*() {
      expect(yield* keptAlive).toBe(61)
    }).pipe(Effect.provide(composed({ KEEP_ALIVE_TIMEOUT: "61 seconds", TRUST_PROXY: "1" }))))

  it.scoped("ends with the connection", () =>
    Effect.gen(function*() {
      const client = yield* opened
      ask(client)
      expect(RawClient.statuses(yield* client.closed)).toEqual([404])
    }).pipe(Effect.provide(composed({ KEEP_ALIVE_TIMEOUT: "1 millis" }))))

  it.scoped("is shorter for a client than for a proxy, unless it is set", () =>
    Effect.gen(function*() {
      expect(yield* Effect.provide(keptAlive, composed({}))).toBe(5)
      expect(yield* Effect.provide(keptAlive, composed({ TRUST_PROXY: "1" }))).toBe(75)
    }))
})

describe("MAX_EVENT_STREAMS_PER_KEY", () => {
  it.scoped("is the maximum number of open event streams of a key", () =>
    Effect.gen(function*() {
      const { token } = yield* Fixtures.adminKey("events:read")
      const client = yield* opened
      client.write(
        `GET /v1/admin/events HTTP/1.1\r\nHost: x\r\nAuthorization: Admin ${Redacted.value(token)}\r\n\r\n`
      )
      yield* client.until(/\r\n\r\n/)
      expect((yield* send("/v1/admin/events", { admin: token })).status).toBe(429)
    }).pipe(Effect.scoped, Effect.provide(composed({ MAX_EVENT_STREAMS_PER_KEY: "1" }))))
})

describe("REQUEST_TIMEOUT", () => {
  it.scoped("is the maximum time of a request while the storage is busy", () =>
    Effect.gen(function*() {
      const DATA_DIR = yield* temporaryDirectory
      yield* Effect.gen(function*() {
        const sql = yield* SqlClient.SqlClient
        const { token } = yield* Fixtures.adminKey("user:delete")
        const { id } = yield* Fixtures.person()
        const connection = yield* sql.reserve
        yield* connection.execute("BEGIN IMMEDIATE", [], undefined)
        const answer = yield* Effect.fork(send(DELETION, { admin: token, body: { user_id: id, reason_code: 1 } }))
        // The deadline runs from now on.
        yield* within(0, TestClock.sleeps(), Chunk.contains(noonPlus("3 seconds").epochMillis))
        yield* TestClock.adjust("3 seconds")
        const polled = yield* within(0, Fiber.poll(answer), Option.isSome)
        expect(Option.map(polled, Exit.map(({ status }) => status))).toEqual(Option.some(Exit.succeed(503)))
      }).pipe(Effect.provide([composed({ DATA_DIR, REQUEST_TIMEOUT: "3 seconds" }), databaseOf(DATA_DIR)]))
    }))
})

describe("CLAIM_LEASE", () => {
  it.scoped("is how long due work stays with a server that cannot finish it", () =>
    Effect.gen(function*() {
      const DATA_DIR = yield* temporaryDirectory
      // No message can be posted, and the failure cannot be stored: as if the server had crashed.
      yield* Effect.gen(function*() {
        const { user } = yield* Fixtures.botWithGuild
        yield* Fixtures.scheduledMessage(user.id, { status: "scheduled", scheduledAt: NOON })
        const sql = yield* SqlClient.SqlClient
        yield* sql`CREATE TRIGGER no_outcome BEFORE UPDATE OF attempts ON scheduled_messages BEGIN SELECT RAISE(ABORT, 'no'); END`
      }).pipe(Effect.provide(Layer.provideMerge(databaseOf(DATA_DIR), atRest({ DATA_DIR }))))
      yield* Effect.gen(function*() {
        const { nextDueAt } = yield* ScheduledMessageRepository
        const claimable = yield* within(0, nextDueAt, Option.exists(DateTime.greaterThan(NOON)))
        expect(claimable).toEqual(Option.some(noonPlus("7 minutes")))
      }).pipe(Effect.provide(composed({ DATA_DIR, CLAIM_LEASE: "7 minutes" })))
    }))
})

describe("EVENT_RETENTION", () => {
  it.scoped("is how long events are kept", () =>
    Effect.gen(function*() {
      const { read } = yield* EventLog
      yield* Fixtures.webhook
      yield* TestClock.adjust("40 minutes")
      yield* Fixtures.webhook
      const kept = yield* within("40 minutes", read(0, 10), (events) => events.length < 2)
      expect(kept.map(({ occurredAt }) => occurredAt)).toEqual([noonPlus("40 minutes")])
    }).pipe(Effect.provide(composed({ EVENT_RETENTION: "1 hour" }))))
})

/** Sends an update of a webhook with an avatar of that many bytes, which is not an image. */
const sendAvatar = (bytes: number) =>
  Effect.flatMap(
    Fixtures.webhook,
    ({ path }) => send(path, { method: "PATCH", body: { avatar: Fixtures.noImage(bytes) } })
  )

describe("the memory of bodies", () => {
  it.scoped.each(
    [
      ["BODY_MAX_BYTES", 503, "SERVICE_UNAVAILABLE"],
      ["BODY_MAX_BYTES_PER_CALLER", 429, "RATE_LIMITED"]
    ] as const
  )(
    "is limited by %s: a large one gets %i and a small one is accepted",
    ([name, status, code]) =>
      Effect.gen(function*() {
        const refused = yield* sendAvatar(100_000)
        expectError(refused, status, code)
        expect(refused.headers["retry-after"]).toBe("5")
        expectViolations(yield* sendAvatar(10_000), "avatar: INVALID_IMAGE_FORMAT")
      }).pipe(Effect.provide(composed({ [name]: "100000" })))
  )
})

describe("MEMBER_INDEX_MAX_BYTES", () => {
  it.scoped("is the memory beyond which the index of a guild is dropped when another guild is searched", () =>
    Effect.gen(function*() {
      const first = yield* searchable
      yield* join(first.guildId)
      const second = yield* searchable
      const isIndexing = Effect.map(first.search(), ({ json }) => at(json, "indexing"))
      yield* within(0, isIndexing, (indexing) => indexing === false)
      yield* second.search()
      expect(yield* isIndexing).toBe(true)
    }).pipe(
      // So that a guild of two is large enough to be indexed in the background, which its search reports.
      Effect.provide(Layer.provide(
        composed({ MEMBER_INDEX_MAX_BYTES: "0" }),
        Layer.succeed(MembersIndexedAtOnce, 1)
      ))
    ))
})

/**
 * A request without its body, until the end of the scope: an effect for its end, and one for its beginning on the server.
 */
const endless = Effect.gen(function*() {
  const { address: { port } } = yield* ListeningServer.ListeningServer
  const { token } = yield* Fixtures.bot
  const outgoing = request({
    host: "127.0.0.1",
    port,
    path: "/v1/oauth2/authorize/consent",
    method: "POST",
    headers: { authorization: `Bot ${Redacted.value(token)}`, "content-length": 2, expect: "100-continue" }
  })
  yield* Effect.addFinalizer(() => Effect.sync(() => outgoing.destroy()))
  const begun = yield* Deferred.make<void>()
  const ended = yield* Deferred.make<Error>()
  outgoing.on("continue", () => Deferred.unsafeDone(begun, Effect.void))
  outgoing.on("error", (error) => Deferred.unsafeDone(ended, Effect.succeed(error)))
  outgoing.flushHeaders()
  return { begun: Deferred.await(begun), ended: Deferred.await(ended) }
})

/** A server with a request in progress: an effect that stops it, and one for the end of the request. */
const busy = (SHUTDOWN_TIMEOUT: string) =>
  Effect.gen(function*() {
    const server = yield* Layer.build(composed({ SHUTDOWN_TIMEOUT }))
    const { begun, ended } = yield* Effect.provide(endless, server)
    yield* begun
    const { drain } = yield* Effect.provide(ListeningServer.ListeningServer, server)
    return { stop: drain, ended: Effect.map(ended, (error) => ({ SHUTDOWN_TIMEOUT, error })) }
  })

describe("SHUTDOWN_TIMEOUT", () => {
  it.scoped("is how long a server that stops waits for a request in progress", () =>
    Effect.gen(function*() {
      const patient = yield* busy("1 hour")
      const impatient = yield* busy("50 millis")
      // With equal timeouts, the first to stop would be the first to end its request.
      yield* Effect.fork(patient.stop)
      const stopped = yield* Effect.fork(impatient.stop)
      expect(yield* Effect.race(patient.ended, impatient.ended)).toMatchObject({
        SHUTDOWN_TIMEOUT: "50 millis",
        error: { code: "ECONNRESET" }
      })
      yield* Fiber.join(stopped)
    }))
})

describe("CORS_ORIGINS", () => {
  const chat = "https://chat.example"
  const local = "http://localhost:3000"

  it.scoped.each([
    { settings: {}, allowed: [undefined, undefined, undefined] },
    { settings: { CORS_ORIGINS: `${chat}, ${local}` }, allowed: [chat, local, undefined] },
    { settings: { CORS_ORIGINS: "*" }, allowed: ["*", "*", "*"] }
  ])("are the origins whose pages may call the API: %j", ({ allowed, settings }) =>
    Effect.gen(function*() {
      const allowedFor = (origin: string) =>
        Effect.map(send(LIST, { headers: { origin } }), ({ headers }) => headers["access-control-allow-origin"])
      expect(yield* Effect.forEach([chat, local, "https://other.example"], allowedFor)).toEqual(allowed)
    }).pipe(Effect.provide(composed(settings))))
})
