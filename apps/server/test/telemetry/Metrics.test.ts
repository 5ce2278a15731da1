import { BackgroundWork } from "@community-messaging/domain/background-work/BackgroundWork"
import { ScheduledMessageRepository } from "@community-messaging/domain/scheduled-message/ScheduledMessageRepository"
import * as SqlClient from "@effect/sql/SqlClient"
import { describe, expect, it } from "@effect/vitest"
import { Effect, Exit, Fiber, Layer, Option, Redacted, TestClock } from "effect"
import { MetricsUrl } from "../../src/telemetry/Telemetry.ts"
import * as WorkMetrics from "../../src/telemetry/WorkMetrics.ts"
import { composed, databaseOf, NOON, noonMinus, temporaryDirectory, within } from "../composed/ComposedServer.ts"
import * as Fixtures from "../http/Fixtures.ts"
import { send, sendRaw } from "../http/HttpClient.ts"
import { connected, TestServer } from "../http/TestServer.ts"
import { scrape, valueOf } from "./Scrape.ts"

const LIST = "/v1/users/@me/scheduled-messages"

const measured = (settings: Readonly<Record<string, string>> = {}) => composed({ METRICS_PORT: "0", ...settings })

/** The value in a scrape of the server. */
const scraped = (name: string, labels: Readonly<Record<string, string>> = {}) =>
  Effect.map(scrape, (now) => valueOf(now, name, labels))

/** How much a value grows while the effect runs. Other tests of this process have updated the metrics before. */
const growth = <A, E, R>(
  name: string,
  labels: Readonly<Record<string, string>>,
  effect: Effect.Effect<A, E, R>
) =>
  Effect.gen(function*() {
    const before = yield* scraped(name, labels)
    yield* effect
    return (yield* scraped(name, labels)) - before
  })

describe("METRICS_PORT", () => {
  it.scoped("is the port on which metrics are served, only at /metrics", () =>
    Effect.gen(function*() {
      const url = Option.getOrThrow(yield* MetricsUrl)
      expect(url).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/metrics$/)
      const status = (path: string, method = "GET") =>
        Effect.promise(() => fetch(new URL(path, url), { method }).then((response) => response.status))
      expect([
        yield* status("/metrics"),
        yield* status("/metrics?name=x", "HEAD"),
        yield* status("/metrics", "POST"),
        yield* status("/")
      ]).toEqual([200, 200, 405, 404])
      expect((yield* sendRaw("/metrics")).status).toBe(404)
    }).pipe(Effect.provide(measured())))

  it.scoped("is off by default; one that another program uses is an error with the names of the settings", () =>
    Effect.gen(function*() {
      expect(yield* MetricsUrl).toEqual(Option.none())
      const { origin } = yield* TestServer
      const error = yield* Effect.flip(Layer.build(measured({ METRICS_PORT: new URL(origin).port })))
      expect(error).toMatchObject({
        _tag: "ListenError",
        where: "on METRICS_HOST and METRICS_PORT",
        cause: { code: "EADDRINUSE" }
      })
    }).pipe(Effect.provide(composed())))
})

describe("METRICS_HOST", () => {
  it.scoped("is the address on which metrics are served", () =>
    Effect.gen(function*() {
      expect(Option.getOrThrow(yield* MetricsUrl)).toMatch(/^http:\/\/0\.0\.0\.0:/)
    }).pipe(Effect.provide(measured({ METRICS_HOST: "0.0.0.0" }))))
})

describe("the metrics of requests", () => {
  it.scoped("count each with its duration by its method, its status and the pattern of its route, one for all unknown", () =>
    Effect.gen(function*() {
      const name = "http_server_request_duration_seconds_count"
      const { token: bot } = yield* Fixtures.bot
      const labels = { http_request_method: "GET", http_route: LIST, http_response_status_code: "200" }
      expect(yield* growth(name, labels, Effect.replicateEffect(send(LIST, { bot }), 3))).toBe(3)

      const unknown = { http_request_method: "_OTHER", http_route: "unmatched", http_response_status_code: "404" }
      const requests = Effect.forEach(["/a", "/b", "/v1/c"], (path) => sendRaw(path, { method: "PROPFIND" }))
      expect(yield* growth(name, unknown, requests)).toBe(3)

      const { path, token, webhook } = yield* Fixtures.webhook
      yield* send(path, { method: "PATCH", body: {} })
      const { text } = yield* scrape
      expect(text).toContain("http_route=\"/v1/webhooks/:webhook_id/:token\"")
      expect(text).not.toContain(Redacted.value(token))
      expect(text).not.toContain(webhook.id)
    }).pipe(Effect.provide(measured())))

  it.scoped("count bytes that are not a request", () =>
    Effect.gen(function*() {
      const client = yield* connected
      const broken = Effect.suspend(() => {
        client.write("nonsense\r\n\r\n")
        return client.closed
      })
      const labels = { http_route: "unmatched", http_response_status_code: "400" }
      expect(yield* growth("http_server_request_duration_seconds_count", labels, broken)).toBe(1)
    }).pipe(Effect.provide(measured())))
})

describe("the metrics of limits", () => {
  it.scoped("count requests beyond a rate limit by its bucket", () =>
    Effect.gen(function*() {
      const { token } = yield* Fixtures.bot
      const requests = Effect.replicateEffect(send(LIST, { bot: token }), 3)
      const name = "community_messaging_rate_limits_exceeded_total"
      expect(yield* growth(name, { bucket: "scheduled-messages" }, requests)).toBe(2)
      expect((yield* scrape).samples.filter((sample) => sample.name === name)).toHaveLength(10)
    }).pipe(Effect.provide(measured({ RATE_LIMIT_SCHEDULED_MESSAGES: "1/minute" }))))

  it.scoped("count refused connections by the limit", () =>
    Effect.gen(function*() {
      yield* connected
      const name = "community_messaging_connections_refused_total"
      expect(yield* growth(name, { limit: "all" }, sendRaw("/"))).toBe(1)
    }).pipe(Effect.scoped, Effect.provide(measured({ MAX_CONNECTIONS: "1" }))))

  it.scoped("count open connections", () =>
    Effect.gen(function*() {
      const open = scraped("community_messaging_open_connections")
      const before = yield* open
      const client = yield* connected
      expect(yield* within(0, open, (count) => count !== before)).toBe(before + 1)
      client.close()
      expect(yield* within(0, open, (count) => count === before)).toBe(before)
    }).pipe(Effect.provide(measured())))

  it.scoped("count the memory of a body until its reply", () =>
    Effect.gen(function*() {
      const { path } = yield* Fixtures.webhook
      const body = JSON.stringify({ avatar: Fixtures.noImage(100_000) })
      const memory = scraped("community_messaging_body_memory_bytes")
      const before = yield* memory
      const client = yield* connected
      client.write(`PATCH ${path} HTTP/1.1\r\nHost: x\r\nContent-Length: ${body.length}\r\n\r\n${body.slice(0, -1)}`)
      expect(yield* within(0, memory, (bytes) => bytes > before)).toBeGreaterThan(before)
      client.write(body.slice(-1))
      yield* client.until(/^HTTP/)
      expect(yield* memory).toBe(before)
    }).pipe(Effect.provide(measured())))

  it.scoped("count bodies that are refused for lack of memory", () =>
    Effect.gen(function*() {
      const { path } = yield* Fixtures.webhook
      const refused = send(path, { method: "PATCH", body: { avatar: Fixtures.noImage(100_000) } })
      const name = "community_messaging_bodies_refused_total"
      expect(yield* growth(name, { limit: "all" }, refused)).toBe(1)
      expect(yield* growth("community_messaging_body_memory_bytes", {}, Effect.void)).toBe(0)
    }).pipe(Effect.provide(measured({ BODY_MAX_BYTES: "100000" }))))
})

/** Runs the test on a server, with its database. */
const besideDatabase = <A, E, R>(test: Effect.Effect<A, E, R>) =>
  Effect.flatMap(
    temporaryDirectory,
    (DATA_DIR) => Effect.provide(test, Layer.provideMerge(databaseOf(DATA_DIR), measured({ DATA_DIR })))
  )

describe("the metrics of work", () => {
  it.scoped("are collected although the storage does not answer", () =>
    Effect.gen(function*() {
      const messages = yield* ScheduledMessageRepository
      const silent = { ...messages, nextDueAt: Effect.uninterruptible(Effect.never) }
      const collect = yield* Effect.provideService(WorkMetrics.make, ScheduledMessageRepository, silent)
      const collecting = yield* Effect.fork(collect)
      yield* TestClock.adjust("1 second")
      expect(yield* Fiber.await(collecting)).toEqual(Exit.void)
    }).pipe(Effect.provide(Layer.provideMerge(BackgroundWork.layer, composed()))))

  it.scoped("report how much due work waits, and since when", () =>
    Effect.gen(function*() {
      const { user } = yield* Fixtures.bot
      const labels = { kind: "scheduled_messages" }
      expect(yield* scraped("community_messaging_due_work", labels)).toBe(0)
      // No server can claim the due work.
      const sql = yield* SqlClient.SqlClient
      yield* sql`CREATE TRIGGER no_claim BEFORE UPDATE OF leased_until ON scheduled_messages BEGIN SELECT RAISE(ABORT, 'no'); END`
      const due = { status: "scheduled", scheduledAt: noonMinus("90 seconds") } as const
      yield* Effect.replicateEffect(Fixtures.scheduledMessage(user.id, due), 2)
      expect(yield* scraped("community_messaging_due_work", labels)).toBe(2)
      expect(yield* scraped("community_messaging_due_work_age_seconds", labels)).toBe(90)
    }).pipe(besideDatabase))

  it.scoped("report a step of the background work that fails", () =>
    Effect.gen(function*() {
      const up = scraped("community_messaging_background_step_up", { step: "postDueMessages" })
      expect(yield* up).toBe(1)
      const sql = yield* SqlClient.SqlClient
      yield* sql`CREATE TRIGGER no_claim BEFORE UPDATE OF leased_until ON scheduled_messages BEGIN SELECT RAISE(ABORT, 'no'); END`
      const { user } = yield* Fixtures.bot
      yield* Fixtures.scheduledMessage(user.id, { status: "scheduled", scheduledAt: NOON })
      // A message that no use case saved wakes no step.
      yield* Fixtures.webhook
      expect(yield* within("1 second", up, (value) => value === 0)).toBe(0)
      yield* sql`DROP TRIGGER no_claim`
      expect(yield* within("10 seconds", up, (value) => value === 1)).toBe(1)
      const { nextDueAt } = yield* ScheduledMessageRepository
      expect(yield* nextDueAt).toEqual(Option.none())
    }).pipe(besideDatabase))

  it.scoped("count the items that fail, such as a message whose row is invalid; the others are posted", () =>
    Effect.gen(function*() {
      const failed = scraped("community_messaging_background_failed_items_total", { step: "postDueMessages" })
      const before = yield* failed
      const sql = yield* SqlClient.SqlClient
      const { user } = yield* Fixtures.bot
      const [invalid, valid] = yield* Effect.replicateEffect(
        Fixtures.scheduledMessage(user.id, { status: "scheduled", scheduledAt: NOON }),
        2
      )
      yield* sql`UPDATE scheduled_messages SET payload = '{' WHERE id = ${invalid?.id ?? ""}`
      // A message that no use case saved wakes no step.
      yield* Fixtures.webhook
      expect(yield* within("1 second", failed, (value) => value > before)).toBe(before + 1)
      const others = yield* sql`SELECT status FROM scheduled_messages WHERE id = ${valid?.id ?? ""}`
      expect(others).toEqual([{ status: "invalid" }])
    }).pipe(besideDatabase))

  it.scoped("count commits by their units, and the indexes of member search", () =>
    Effect.gen(function*() {
      const { guild, token } = yield* Fixtures.botWithGuild
      const search = send(`/v1/guilds/${guild.id}/members-search`, { bot: token, body: {} })
      expect(yield* growth("community_messaging_member_index_build_duration_seconds_count", {}, search)).toBe(1)
      expect(yield* growth("community_messaging_member_indexes", {}, search)).toBe(0)
      expect(yield* scraped("community_messaging_member_index_bytes")).toBeGreaterThan(0)
      expect(yield* growth("community_messaging_commit_units_sum", {}, Fixtures.person())).toBe(1)
      expect(yield* growth("community_messaging_commit_duration_seconds_count", {}, Fixtures.person())).toBe(1)
    }).pipe(Effect.provide(measured())))

  it.scoped("count the clients of the event stream", () =>
    Effect.gen(function*() {
      const { token } = yield* Fixtures.adminKey("events:read")
      const client = yield* connected
      const opened = Effect.suspend(() => {
        client.write(
          `GET /v1/admin/events HTTP/1.1\r\nHost: x\r\nAuthorization: Admin ${Redacted.value(token)}\r\n\r\n`
        )
        return client.until(/:\nid: \d+\n\n/)
      })
      expect(yield* growth("community_messaging_event_streams", {}, opened)).toBe(1)
      client.close()
      const open = scraped("community_messaging_event_streams")
      expect(yield* within(0, open, (count) => count === 0)).toBe(0)
    }).pipe(Effect.provide(measured())))
})

/** Takes the event loop for that many milliseconds. */
const block = (millis: number) =>
  Effect.sync(() => {
    const end = performance.now() + millis
    while (performance.now() < end);
  })

/**
 * Waits until a timer with the interval of the measurement fires three times. A scrape ends a measurement, the next one begins
 * when its own timer fires, and a delay is measured when it fires again. A scrape by the same process can be faster.
 */
const turns = Effect.async<void>((resume) => {
  let left = 3
  const timer = setInterval(() => {
    left -= 1
    if (left > 0) return
    clearInterval(timer)
    resume(Effect.void)
  }, 20)
})

describe("the metrics of the process", () => {
  it.scoped("have plausible values", () =>
    Effect.gen(function*() {
      yield* scrape
      const now = yield* scrape
      expect(valueOf(now, "process_resident_memory_bytes")).toBeGreaterThan(10_000_000)
      expect(valueOf(now, "nodejs_heap_size_used_bytes")).toBeGreaterThan(1_000_000)
      expect(valueOf(now, "process_cpu_seconds_total")).toBeGreaterThan(0)
      expect(valueOf(now, "process_start_time_seconds")).toBeCloseTo(performance.timeOrigin / 1000, 1)
      expect(valueOf(now, "nodejs_eventloop_utilization_ratio")).toBeLessThanOrEqual(1)
      expect(valueOf(now, "nodejs_eventloop_lag_max_seconds")).toBeGreaterThanOrEqual(0)
      expect(valueOf(now, "community_messaging_build_info", { node_version: process.version })).toBe(1)
    }).pipe(Effect.provide(measured())))

  it.scoped("have the delay of a timer beyond its interval", () =>
    Effect.gen(function*() {
      const delay = scraped("nodejs_eventloop_lag_p50_seconds")
      // The interval is 20 ms.
      const seen = yield* Effect.repeat(Effect.zipRight(turns, delay), {
        until: (seconds) => seconds > 0 && seconds < 0.01
      })
      expect(seen).toBeLessThan(0.01)
    }).pipe(Effect.provide(measured())))

  it.scoped("have the longest time since the last scrape in which the event loop did nothing else", () =>
    Effect.gen(function*() {
      const delay = scraped("nodejs_eventloop_lag_max_seconds")
      yield* delay
      yield* Effect.zipRight(turns, Effect.zipRight(block(200), turns))
      const longest = yield* delay
      expect(longest).toBeGreaterThan(0.15)
      expect(longest).toBeLessThan(10)
      expect(yield* delay).toBeLessThan(longest)
    }).pipe(Effect.provide(measured())))

  it.scoped("are served although the storage fails", () =>
    Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient
      yield* sql`DROP TABLE scheduled_messages`
      yield* TestClock.adjust("1 second")
      expect(yield* scraped("process_resident_memory_bytes")).toBeGreaterThan(0)
    }).pipe(besideDatabase))
})
