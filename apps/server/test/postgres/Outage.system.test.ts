import * as LocalPostgres from "@community-messaging/local-postgres/LocalPostgres"
import { expect, it } from "@effect/vitest"
import { Array, Cause, Effect, HashMap, Layer, Logger, Option, Queue } from "effect"
import { composedLive } from "../composed/ComposedServer.ts"
import { expectError } from "../http/Expectations.ts"
import * as Fixtures from "../http/Fixtures.ts"
import { type HttpResponse, send, sendRaw } from "../http/HttpClient.ts"
import * as ServerSentEvents from "../http/ServerSentEvents.ts"
import type { TestServer } from "../http/TestServer.ts"

const ready = sendRaw("/health/ready")

/** Repeats the request until the response has that status. */
const until = (ask: Effect.Effect<HttpResponse, never, TestServer>, status: number) =>
  Effect.repeat(ask, { until: (response) => response.status === status })

it.scopedLive("a server answers 503 while PostgreSQL is down, and then recovers by itself", () =>
  Effect.gen(function*() {
    const postgres = yield* LocalPostgres.own({ fsync: "off" })
    const DATABASE_URL = yield* postgres.database
    const logged: Array<{ readonly message: string; readonly cause: string }> = []
    const log = Logger.make(({ annotations, cause, message }) => {
      const annotated = Option.getOrElse(HashMap.get(annotations, "cause"), () => Cause.pretty(cause))
      logged.push({ message: String(Array.ensure(message)[0]), cause: String(annotated) })
    })
    yield* Effect.gen(function*() {
      const { token: key } = yield* Fixtures.adminKey("events:read")
      const { token: bot } = yield* Fixtures.bot
      const { path } = yield* Fixtures.webhook
      const list = send("/v1/users/@me/scheduled-messages", { bot })
      const post = send(`${path}/sentry`, {
        body: { action: "created", data: { issue: { id: "1", title: "It broke" } } }
      })
      expect([(yield* ready).status, (yield* list).status, (yield* post).status]).toEqual([200, 200, 204])

      const lines = logged.length
      const { live, refused, unready } = yield* postgres.outage(Effect.all({
        refused: until(list, 503),
        unready: until(ready, 503),
        live: sendRaw("/health/live")
      }))
      expectError(refused, 503, "SERVICE_UNAVAILABLE")
      expect(refused.headers["retry-after"]).toMatch(/^\d+$/)
      expect(unready.json).toMatchObject({ status: "not_ready" })
      expect(live.status).toBe(200)
      const entries = logged.slice(lines)
      const failures = entries.filter(({ message }) => message === "Storage failed")
      expect(failures).not.toEqual([])
      expect(failures.filter(({ cause }) => !/^StorageError in .+, caused by [^\n]+$/.test(cause))).toEqual([])
      expect(entries.filter(({ message }) => message.startsWith("New events wait")).length).toBeLessThanOrEqual(1)
      expect(JSON.stringify(logged)).not.toContain(new URL(DATABASE_URL).password)

      yield* until(list, 200)
      yield* until(ready, 200)
      const events = yield* ServerSentEvents.open("/v1/admin/events?from=now", key)
      yield* until(post, 204)
      expect((yield* Queue.take(events)).event).toBe("message.created")
    }).pipe(
      Effect.provide(
        composedLive({ STORAGE: "postgres", DATABASE_URL, RATE_LIMITS: "off", POOL_SIZE: "4" }).pipe(
          Layer.provideMerge(Logger.add(log))
        )
      )
    )
  }))
