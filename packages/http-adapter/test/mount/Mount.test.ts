import * as Samples from "@community-messaging/domain-contract/Samples"
import * as Saved from "@community-messaging/domain-contract/Saved"
import { MessageRepository } from "@community-messaging/domain/message/MessageRepository"
import { ApplicationRepository } from "@community-messaging/domain/oauth2/ApplicationRepository"
import type * as Mount from "@community-messaging/http-adapter/Mount"
import { describe, expect, it } from "@effect/vitest"
import { Deferred, Duration, Effect, Fiber, Option, Stream } from "effect"
import express from "express"
import { createServer } from "node:http"
import { connect as connectByHttp2, constants, createServer as createServerOfHttp2 } from "node:http2"
import { connect } from "node:net"
import { HEAD, listening, portOf } from "../server/Exchanged.ts"
import { APPLICATIONS } from "./Applications.ts"
import { fixtures, log, mounted, service } from "./Mounted.ts"

const send = (url: string, init?: RequestInit) =>
  Effect.promise(async () => {
    const response = await fetch(url, init)
    return { status: response.status, text: await response.text() }
  })

const json = { "content-type": "application/json" }

/** A notification of some megabytes; no message needs most of it. */
const STAR = JSON.stringify({
  action: "started",
  sender: { id: 1, login: "ada" },
  repository: {
    id: 7,
    name: "kiln",
    full_name: "riverside/kiln",
    topics: Array.from({ length: 400_000 }, () => "kiln")
  }
})

/** Reads an event stream in the background. Returns an effect that waits for the text, and the reading fiber. */
const reading = (response: Response, awaited: string) =>
  Effect.gen(function*() {
    const arrived = yield* Deferred.make<void>()
    const body = Stream.fromReadableStream(() => response.body ?? new ReadableStream<Uint8Array>(), String)
    const fiber = yield* body.pipe(
      Stream.decodeText(),
      Stream.runFoldEffect("", (before, piece) => {
        const all = before + piece
        return Effect.as(all.includes(awaited) ? Deferred.succeed(arrived, undefined) : Effect.void, all)
      }),
      Effect.fork
    )
    return { arrived: Deferred.await(arrived), fiber }
  })

describe.each(APPLICATIONS)("the API mounted in %s", (_name, start) => {
  it.scopedLive("answers an operation under its prefix", () =>
    Effect.gen(function*() {
      const origin = yield* start(yield* mounted())
      const { bot, guild } = yield* fixtures
      const answer = yield* send(`${origin}/chat/v1/guilds/${guild.id}/members-search?limit=1`, {
        method: "POST",
        headers: bot,
        body: "{\"limit\":1}"
      })
      expect(answer.status).toBe(200)
      expect(JSON.parse(answer.text)).toMatchObject({ guild_id: guild.id, total_result_count: 1 })
    }).pipe(Effect.provide(service)))

  it.scopedLive("lets pages of allowed origins call it", () =>
    Effect.gen(function*() {
      const origin = yield* start(yield* mounted({ allowedOrigins: "*" }))
      const { headers, status } = yield* Effect.promise(() =>
        fetch(`${origin}/chat/v1/users/@me/scheduled-messages`, {
          method: "OPTIONS",
          headers: { origin: "https://page.example", "access-control-request-method": "GET" }
        })
      )
      expect([status, headers.get("access-control-allow-origin")]).toEqual([204, "*"])
    }).pipe(Effect.provide(service)))

  it.scopedLive("reads a notification of some megabytes", () =>
    Effect.gen(function*() {
      const origin = yield* start(yield* mounted())
      const { channel, hookPath } = yield* fixtures
      const answer = yield* send(`${origin}${hookPath}/github`, {
        method: "POST",
        headers: { ...json, "x-github-event": "watch" },
        body: STAR
      })
      expect(answer.status).toBe(204)
      const { inChannel } = yield* MessageRepository
      expect(yield* inChannel({ channelId: channel.id, before: Option.none(), limit: 2 })).toHaveLength(1)
    }).pipe(Effect.provide(service)))

  it.scopedLive("streams events, and ends the stream so that the application can close", () =>
    Effect.gen(function*() {
      const { admin, hookPath } = yield* fixtures
      const api = yield* mounted()
      const text = yield* Effect.scoped(Effect.gen(function*() {
        const origin = yield* start(api)
        const response = yield* Effect.promise(() => fetch(`${origin}/chat/v1/admin/events`, { headers: admin }))
        expect(response.headers.get("content-type")).toBe("text/event-stream")
        const { arrived, fiber } = yield* reading(response, "webhook.updated")
        yield* send(`${origin}${hookPath}`, { method: "PATCH", headers: json, body: "{\"name\":\"Kiln\"}" })
        yield* arrived
        yield* api.drain
        return yield* Fiber.join(fiber)
      }))
      expect(text).toContain("event: webhook.updated")
    }).pipe(Effect.provide(service)))

  it.scopedLive("leaves the application's own routes to it, with their bodies", () =>
    Effect.gen(function*() {
      const origin = yield* start(yield* mounted())
      expect(yield* send(`${origin}/own`)).toEqual({ status: 200, text: "fine" })
      const body = "{\"a\":1}"
      expect(yield* send(`${origin}/own`, { method: "POST", headers: json, body })).toEqual({ status: 200, text: body })
    }).pipe(Effect.provide(service)))

  it.scopedLive("leaves unknown paths to the application", () =>
    Effect.gen(function*() {
      const origin = yield* start(yield* mounted())
      expect(yield* send(`${origin}/chat/v1/nothing`)).toEqual({ status: 404, text: "nobody" })
      expect(yield* send(`${origin}/chatter/v1/openapi.json`)).toEqual({ status: 404, text: "nobody" })
      expect(yield* send(`${origin}/v1/openapi.json`)).toEqual({ status: 404, text: "nobody" })
    }).pipe(Effect.provide(service)))

  it.scopedLive("answers unknown paths under its prefix itself with unknownPaths 404", () =>
    Effect.gen(function*() {
      const origin = yield* start(yield* mounted({ unknownPaths: "404" }))
      expect((yield* send(`${origin}/chat/v1/nothing`)).text).toContain("\"NOT_FOUND\"")
      expect(yield* send(`${origin}/chatter`)).toEqual({ status: 404, text: "nobody" })
    }).pipe(Effect.provide(service)))

  it.scopedLive("names the prefix in its document", () =>
    Effect.gen(function*() {
      const origin = yield* start(yield* mounted())
      const { text } = yield* send(`${origin}/chat/v1/openapi.json`)
      expect(JSON.parse(text)).toMatchObject({ servers: [{ url: "https://example.org/chat" }] })
    }).pipe(Effect.provide(service)))
})

const searchMembers = (origin: string) =>
  Effect.flatMap(
    fixtures,
    ({ bot, guild }) =>
      send(`${origin}/chat/v1/guilds/${guild.id}/members-search`, { method: "POST", headers: bot, body: "{}" })
  )

describe("the mounted API", () => {
  const [, startNode] = APPLICATIONS[0]
  const [, startExpress] = APPLICATIONS[1]

  it.scopedLive("sends users to its page under the prefix", () =>
    Effect.gen(function*() {
      const origin = yield* startNode(yield* mounted())
      const { bot } = yield* fixtures
      const application = Samples.application({ botUserId: Option.some((yield* Saved.user({ bot: true })).id) })
      yield* Effect.flatMap(ApplicationRepository, ({ save }) => save({ ...application, redirectUris: [] }))
      const consent = yield* send(`${origin}/chat/v1/oauth2/authorize/consent`, {
        method: "POST",
        headers: bot,
        body: JSON.stringify({ client_id: application.id, scope: "bot" })
      })
      expect(consent.text).toMatch(/"redirect_to":"https:\/\/example.org\/chat\/v1\/oauth2\/authorized\?code=/)
      expect(yield* send(`${origin}/chat/v1/oauth2/authorized`)).toMatchObject({ status: 200 })
    }).pipe(Effect.provide(service)))

  it.scopedLive("leaves the front page to the application if it is mounted without a prefix", () =>
    Effect.gen(function*() {
      const origin = yield* startNode(yield* mounted({ prefix: "" }))
      expect(yield* send(`${origin}/`)).toEqual({ status: 404, text: "nobody" })
      expect(yield* send(`${origin}/v1/openapi.json`)).toMatchObject({ status: 200 })
    }).pipe(Effect.provide(service)))

  it.scopedLive("answers another method of a known path itself", () =>
    Effect.gen(function*() {
      const origin = yield* startExpress(yield* mounted())
      expect(yield* send(`${origin}/chat/v1/openapi.json`, { method: "POST" })).toMatchObject({ status: 405 })
    }).pipe(Effect.provide(service)))

  it.scopedLive("reports in the log, but not to the client, that a body parser comes before it", () =>
    Effect.gen(function*() {
      const api = yield* mounted()
      const origin = yield* startExpress({
        ...api,
        listener: (request, response, next) =>
          express.json()(request, response, () => api.listener(request, response, next))
      })
      const answer = yield* searchMembers(origin)
      expect(answer).toMatchObject({ status: 500 })
      expect(answer.text).not.toContain("parser")
      expect(log.join("\n")).toContain("Mount the API before body parsers such as express.json().")
    }).pipe(Effect.provide(service)))

  it.scopedLive("reports in the log, but not to the client, that the application reads bodies as text", () =>
    Effect.gen(function*() {
      const api = yield* mounted()
      const origin = yield* startNode({
        ...api,
        listener: (request, response, next) => api.listener(request.setEncoding("utf8"), response, next)
      })
      const answer = yield* searchMembers(origin)
      expect(answer).toMatchObject({ status: 500 })
      expect(log.join("\n")).toContain("Mount the API before body parsers such as express.json().")
    }).pipe(Effect.provide(service)))

  it.scopedLive("keeps headers that the application set", () =>
    Effect.gen(function*() {
      const api = yield* mounted()
      const origin = yield* startNode({
        ...api,
        listener: (request, response, next) => {
          response.setHeader("access-control-allow-origin", "https://example.org")
          api.listener(request, response, next)
        }
      })
      const response = yield* Effect.promise(() => fetch(`${origin}/chat/v1/openapi.json`))
      expect(response.headers.get("access-control-allow-origin")).toBe("https://example.org")
      expect(response.headers.get("content-type")).toBe("application/json")
    }).pipe(Effect.provide(service)))

  it.scopedLive("gives the place of an event stream back if its client left before the listener was called", () =>
    Effect.gen(function*() {
      const { admin } = yield* fixtures
      const api = yield* mounted({ maxEventStreamsPerKey: 1 })
      const [arrived, called] = [yield* Deferred.make<void>(), yield* Deferred.make<void>()]
      const origin = yield* startNode({
        ...api,
        listener: (request, response, next) => {
          if (request.headers["x-leaves"] === undefined) return api.listener(request, response, next)
          Deferred.unsafeDone(arrived, Effect.void)
          response.once("close", () => {
            api.listener(request, response, next)
            Deferred.unsafeDone(called, Effect.void)
          })
        }
      })
      const open = (headers: Readonly<Record<string, string>>) =>
        Effect.promise((signal) => fetch(`${origin}/chat/v1/admin/events`, { headers, signal }))
      const leaving = yield* Effect.fork(open({ ...admin, "x-leaves": "yes" }))
      yield* Deferred.await(arrived)
      yield* Fiber.interrupt(leaving)
      yield* Deferred.await(called)
      const opened = Effect.flatMap(
        open(admin),
        ({ body, status }) => Effect.as(Effect.promise(async () => body?.cancel()), status)
      )
      // Without a free place, the status is 429 for ever.
      yield* Effect.repeat(opened, { until: (status) => status === 200 }).pipe(Effect.timeout("4 seconds"))
    }).pipe(Effect.provide(service)))

  /** A server on which the client sends two requests at once. Returns when the second one has arrived, which waits. */
  const pipelined = (listener: Mount.Mounted["listener"], first: string) =>
    Effect.gen(function*() {
      const arrived = yield* Deferred.make<void>()
      const server = yield* listening(createServer((request, response) => {
        listener(request, response, () => {})
        if (request.url !== first) Deferred.unsafeDone(arrived, Effect.void)
      }))
      const client = connect(portOf(server), "127.0.0.1")
      client.on("error", () => {})
      client.write(`GET ${first} ${HEAD}\r\nGET /chat/v1/openapi.json ${HEAD}\r\n`)
      yield* Deferred.await(arrived)
      return client
    })

  it.scopedLive("drains after a client has left whose response waited behind another one", () =>
    Effect.gen(function*() {
      const api = yield* mounted()
      const client = yield* pipelined(api.listener, "/own")
      client.destroy()
      yield* api.drain
    }).pipe(Effect.provide(service)))

  it.scopedLive("drains in time although a response waits for one of the application", () =>
    Effect.gen(function*() {
      const api = yield* mounted({ shutdownTimeout: Duration.millis(1) })
      yield* pipelined(api.listener, "/own")
      yield* api.drain
    }).pipe(Effect.provide(service)))

  it.scopedLive("drains after a client of HTTP/2 has left before the listener was called", () =>
    Effect.gen(function*() {
      const api = yield* mounted()
      const [arrived, called] = [yield* Deferred.make<void>(), yield* Deferred.make<void>()]
      const server = yield* listening(createServerOfHttp2((request, response) => {
        Deferred.unsafeDone(arrived, Effect.void)
        response.once("close", () => {
          Reflect.apply(api.listener, undefined, [request, response])
          Deferred.unsafeDone(called, Effect.void)
        })
      }))
      const session = connectByHttp2(`http://127.0.0.1:${portOf(server)}`)
      yield* Effect.addFinalizer(() => Effect.sync(() => session.destroy()))
      const stream = session.request({ ":path": "/chat/v1/openapi.json" }).on("error", () => {})
      yield* Deferred.await(arrived)
      stream.close(constants.NGHTTP2_CANCEL)
      yield* Deferred.await(called)
      yield* api.drain
    }).pipe(Effect.provide(service)))

  it.scopedLive("answers 503 once it is closed", () =>
    Effect.gen(function*() {
      // Its scope has ended.
      const origin = yield* startNode(yield* Effect.scoped(mounted()))
      expect(yield* send(`${origin}/chat/v1/openapi.json`)).toMatchObject({ status: 503 })
    }).pipe(Effect.provide(service)))

  it.effect.each<readonly [mistake: string, options: Partial<Mount.Options>]>([
    ["prefix must be a path", { prefix: "/a b?" }],
    ["publicUrl must be an http or https URL", { publicUrl: "https://user:secret@chat.example" }],
    ["publicUrl must be an http or https URL", { publicUrl: "https://chat.example:99999" }],
    ["trustedProxies must be a whole number of at least 0", { trustedProxies: -1 }],
    ["maxEventStreamsPerKey must be a whole number of at least 1", { maxEventStreamsPerKey: 0 }]
  ])("does not start if %s: %j", ([mistake, options]) =>
    Effect.gen(function*() {
      const exit = yield* Effect.exit(Effect.scoped(mounted(options)))
      expect(String(exit)).toContain(mistake)
      expect(String(exit)).not.toContain("secret")
    }).pipe(Effect.provide(service)))

  it.scopedLive("accepts a prefix with or without slashes at its ends", () =>
    Effect.gen(function*() {
      for (const prefix of ["chat", "/chat/", "/chat"]) {
        const origin = yield* startNode(yield* mounted({ prefix }))
        expect(yield* send(`${origin}/chat/v1/openapi.json`)).toMatchObject({ status: 200 })
      }
    }).pipe(Effect.provide(service)))
})
