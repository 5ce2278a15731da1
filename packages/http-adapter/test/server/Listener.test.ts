import { UserId } from "@community-messaging/domain/account/User"
import * as Deadline from "@community-messaging/event-loop/Deadline"
import type { Authenticator } from "@community-messaging/http-adapter/server/Authentication"
import * as BodyMemory from "@community-messaging/http-adapter/server/bodies/BodyMemory"
import * as BodyReader from "@community-messaging/http-adapter/server/bodies/BodyReader"
import * as Listener from "@community-messaging/http-adapter/server/Listener"
import type { Page } from "@community-messaging/http-adapter/server/Page"
import * as Pipeline from "@community-messaging/http-adapter/server/Pipeline"
import { RateLimits } from "@community-messaging/http-adapter/server/rate-limits/RateLimits"
import * as Reply from "@community-messaging/http-adapter/server/replies/Reply"
import type { Route } from "@community-messaging/http-adapter/server/Routes"
import { BadRequest, RateLimited, ServiceUnavailable } from "@community-messaging/http-adapter/wire/ApiError"
import { describe, expect, it } from "@effect/vitest"
import { Duration, Effect, Either, Logger, Metric, MetricState, Option, TestClock } from "effect"
import { createServer, type RequestListener } from "node:http"
import { fine, listening, makeAnswers, makeRecord, portOf } from "./Exchanged.ts"

const bug = (): never => {
  throw new Error("secret")
}

const route: Route = {
  _tag: "Route",
  path: "/v1/route",
  credentials: "bot",
  bucket: "consent",
  decodeParameters: () => Either.right({}),
  body: Option.none(),
  handle: bug,
  reply: bug
}

/** The origin of a server with this listener. */
const serve = (listener: RequestListener) =>
  Effect.map(listening(createServer(listener)), (server) => `http://127.0.0.1:${portOf(server)}`)

/** The response to a request for the route, and the log. */
const exchange = (served: Route, authenticate: Authenticator["authenticate"]) => {
  const log: Array<readonly [level: string, message: unknown, status: unknown]> = []
  const users: Array<unknown> = []
  const logger = Logger.map(Logger.structuredLogger, ({ annotations, logLevel, message }) => {
    log.push([logLevel, message, annotations["status"]])
    users.push(annotations["user_id"])
  })
  return Effect.gen(function*() {
    const deadlines = yield* Deadline.make(Duration.infinity)
    const find = () => ({ _tag: "Found", route: served, path: {} }) as const
    const bodies = yield* BodyReader.make(BodyMemory.DEFAULT_LIMITS)
    const pipeline = yield* Pipeline.make({ authenticate, authenticateAgain: bug }, bodies, deadlines)
    const { answer } = yield* Listener.make(find, pipeline, bodies.drain, Duration.infinity)
    const origin = yield* serve(answer)
    const response = yield* Effect.promise(() => fetch(`${origin}/v1/route`))
    const { headers, status } = response
    return { status, headers, text: yield* Effect.promise(() => response.text()), log, users }
  }).pipe(Effect.provide([RateLimits.layerOff, Logger.replace(Logger.defaultLogger, logger)]))
}

describe("A bug that throws", () => {
  const authenticated = () => Effect.dieMessage("The bug comes first.")
  const bugs: ReadonlyArray<readonly [where: string, Route, Authenticator["authenticate"]]> = [
    ["in the decoding of parameters", { ...route, decodeParameters: bug }, authenticated],
    ["before authentication", route, bug]
  ]
  for (const [where, served, authenticate] of bugs) {
    it.scopedLive(`${where} gets 500 and is in the log, without its message`, () =>
      Effect.gen(function*() {
        const { log, status, text } = yield* exchange(served, authenticate)
        expect(status).toBe(500)
        expect(text).not.toContain("secret")
        expect(log).toEqual([["ERROR", "Unexpected failure", undefined], ["INFO", "Request", 500]])
      }))
  }

  it.scopedLive("in the encoding of the reply gets the quota's headers, too, and is in the log with the caller", () =>
    Effect.gen(function*() {
      const caller = { id: UserId.make("42") }
      const { headers, log, status, users } = yield* exchange(
        { ...route, handle: () => Effect.succeed("secret") },
        (_request, onIdentified) => {
          onIdentified("user:42")
          return Effect.succeed({ principal: "user:42", caller, headers: { "x-ratelimit-limit": "5" } })
        }
      )
      expect([status, headers.get("x-ratelimit-limit")]).toEqual([500, "5"])
      expect(log).toEqual([["ERROR", "Unexpected failure", undefined], ["INFO", "Request", 500]])
      expect(users).toEqual(["42", "42"])
    }))
})

const CLOSE = { connection: "close" }

/** A response of a server that has this page alone, and the log of its requests. */
const visit = (page: Page, refusal?: Reply.Reply) =>
  Effect.gen(function*() {
    const record = makeRecord()
    const { answer } = yield* makeAnswers(page.reply, record, page)
    const origin = yield* serve((source, target) => void answer(source, target, refusal))
    const { headers, status } = yield* Effect.promise(() => fetch(origin))
    return { status, connection: headers.get("connection"), log: record.log }
  })

/** The number of measured requests for the page with that path, and the sum of their durations in seconds. */
const measured = (path: string) =>
  Metric.unsafeSnapshot().flatMap(({ metricKey: { name, tags }, metricState }) => {
    const isOfPath = tags.some(({ key, value }) => key === "http_route" && value === path)
    if (name !== "http_server_request_duration_seconds" || !isOfPath) return []
    return MetricState.isHistogramState(metricState) ? [{ count: metricState.count, seconds: metricState.sum }] : []
  })

describe("A request for a page", () => {
  it.scoped("is logged in milliseconds and measured in seconds, from its headers to its response", () =>
    Effect.gen(function*() {
      const reply = Effect.as(TestClock.adjust("250 millis"), fine)
      const { log, status } = yield* visit({ _tag: "Page", path: "/slow", reply: () => reply })
      expect(status).toBe(200)
      expect(log).toEqual([
        expect.objectContaining({ message: "Request", method: "GET", route: "/slow", status: 200, duration_ms: 250 })
      ])
      expect(measured("/slow")).toEqual([{ count: 1, seconds: 0.25 }])
    }))

  it.scopedLive("is neither logged nor measured if the page is quiet", () =>
    Effect.gen(function*() {
      const { log, status } = yield* visit({ _tag: "Page", path: "/quiet", isQuiet: true, reply: fine })
      expect(status).toBe(200)
      expect(log).toEqual([])
      expect(measured("/quiet")).toEqual([])
    }))

  it.scopedLive("is answered if its work is interrupted while the client waits", () =>
    Effect.gen(function*() {
      const { log, status } = yield* visit({ _tag: "Page", path: "/", reply: () => Effect.interrupt })
      expect(status).toBe(503)
      expect(log.map(({ message }) => message)).toEqual(["The work on a request was interrupted", "Request"])
    }))

  it.scopedLive("leaves the connection open", () =>
    Effect.gen(function*() {
      expect(yield* visit({ _tag: "Page", path: "/", reply: fine })).toMatchObject({ connection: "keep-alive" })
    }))
})

describe("A request on a connection beyond a limit", () => {
  const tooMany = Reply.ofError(new ServiceUnavailable(), CLOSE)
  const tooManyOfAddress = Reply.ofError(new RateLimited({ retry_after: 5 }), CLOSE)
  const page = { _tag: "Page", path: "/", reply: fine } as const

  it.scopedLive("is refused", () =>
    Effect.gen(function*() {
      expect(yield* visit(page, tooMany)).toMatchObject({ status: 503, connection: "close" })
      expect(yield* visit(page, tooManyOfAddress)).toMatchObject({ status: 429, connection: "close" })
    }))

  it.scopedLive("is answered if it is a probe, because the server works, and the connection is closed", () =>
    Effect.gen(function*() {
      const probe = { ...page, isQuiet: true }
      expect(yield* visit(probe, tooMany)).toMatchObject({ status: 200, connection: "close" })
      expect(yield* visit(probe, tooManyOfAddress)).toMatchObject({ status: 200, connection: "close" })
    }))

  it.scopedLive("is refused, also as a probe, if the request itself is malformed", () =>
    Effect.gen(function*() {
      const malformed = Reply.ofError(new BadRequest(), CLOSE)
      expect(yield* visit({ ...page, isQuiet: true }, malformed)).toMatchObject({ status: 400 })
    }))
})
