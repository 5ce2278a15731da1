import { layer } from "@effect/vitest"
import { Effect, type Layer, Redacted } from "effect"
import { connect } from "node:net"
import { expect } from "vitest"
import { send, sendRaw } from "./Exchange.ts"
import { expectError, expectViolations } from "./Expect.ts"
import * as Given from "./Given.ts"
import { ServedApi, type Tested } from "./ServedApi.ts"

const LIST = "/v1/users/@me/scheduled-messages"
const CONSENT = "/v1/oauth2/authorize/consent"
const MEBIBYTE = 1024 * 1024

/** A search by a bot that owns a guild. */
const searching = Effect.map(Given.botWithGuild, ({ guild, token }) => ({
  token,
  path: `/v1/guilds/${guild.id}/members-search`,
  search: (body: string | Uint8Array, headers: Readonly<Record<string, string>> = {}) =>
    send(`/v1/guilds/${guild.id}/members-search`, { bot: token, body, headers })
}))

/**
 * Writes the head of a request and then piece after piece of its body until an answer is complete or the connection ends;
 * what came back, and how many pieces it took.
 */
const stream = (head: string, piece: Buffer, most: number) =>
  Effect.flatMap(
    ServedApi,
    ({ origin }) =>
      Effect.async<{ readonly answer: string; readonly pieces: number }>((resume) => {
        const socket = connect(Number(new URL(origin).port), "127.0.0.1")
        let answer = ""
        let pieces = 0
        const next = () => {
          if (answer !== "" || pieces >= most || socket.destroyed) return
          pieces += 1
          socket.write(piece, () => setImmediate(next))
        }
        socket.on("connect", () => {
          socket.write(head)
          next()
        })
        socket.on("data", (data: Buffer) => {
          answer += data.toString("utf8")
        })
        // A reset after the answer is none of the client's business.
        socket.on("error", () => {})
        socket.on("close", () => resume(Effect.succeed({ answer, pieces })))
        socket.on("end", () => socket.end())
      })
  )

/** What is kept for every request, whatever it asks for (decisions, 1 and 2). */
export const requestLaws = <E>(served: Layer.Layer<Tested, E>): void => {
  layer(served, { excludeTestServices: true })("Routes", (it) => {
    it.effect.each([
      "/",
      "/v1",
      "/v2/users/@me/scheduled-messages",
      "/users/@me/scheduled-messages",
      `${LIST}/`,
      `/${LIST}`,
      "/v1/users/@ME/scheduled-messages",
      "/V1/users/@me/scheduled-messages",
      "/v1/users/1/scheduled-messages",
      "/v1/guilds//members-search",
      "/v1/webhooks/1//github",
      "/v1/%",
      "/v1/guilds/%zz/members-search",
      "/v1/guilds/%ff/members-search",
      "/v1/guilds/1/../1/members-search",
      "/%2e%2e/etc/passwd"
    ])("answers 404 for a path that is not known: %s", (path) =>
      Effect.gen(function*() {
        expectError(yield* send(path), 404, "NOT_FOUND")
      }))

    it.effect.each(
      [
        ["POST", LIST, "GET, HEAD, OPTIONS"],
        ["DELETE", LIST, "GET, HEAD, OPTIONS"],
        ["GET", CONSENT, "POST, OPTIONS"],
        ["PUT", "/v1/guilds/1/members-search", "POST, OPTIONS"],
        ["HEAD", "/v1/admin/users/change-email", "POST, OPTIONS"],
        ["GET", "/v1/webhooks/1/x", "PATCH, OPTIONS"],
        ["PATCH", "/v1/webhooks/1/x/github", "POST, OPTIONS"]
      ] as const
    )("answers 405 for another method: %s %s", ([method, path, allow]) =>
      Effect.gen(function*() {
        const answer = yield* sendRaw(path, { method })
        expect(answer).toMatchObject({ status: 405, headers: { allow } })
        if (method !== "HEAD") expectError(answer, 405, "METHOD_NOT_ALLOWED")
      }))

    it.effect("tells the methods of a path by OPTIONS", () =>
      Effect.gen(function*() {
        expect(yield* sendRaw(CONSENT, { method: "OPTIONS" })).toMatchObject({
          status: 204,
          headers: { allow: "POST, OPTIONS" },
          text: ""
        })
      }))

    it.effect("answers HEAD as GET, without the body", () =>
      Effect.gen(function*() {
        const { token } = yield* Given.bot
        const get = yield* sendRaw(LIST, { bot: token })
        const head = yield* sendRaw(LIST, { bot: token, method: "HEAD" })
        expect(head).toMatchObject({ status: 200, text: "" })
        expect(head.headers["content-length"]).toBe(get.headers["content-length"])
      }))

    it.effect("serves the OpenAPI document", () =>
      Effect.gen(function*() {
        const answer = yield* send("/v1/openapi.json")
        expect(answer.status).toBe(200)
        expect(answer.json).toMatchObject({ openapi: "3.1.0" })
      }))
  })

  layer(served, { excludeTestServices: true })("Request ids", (it) => {
    it.effect.each(["abc", "A-1.b_2", "x".repeat(128)])("keeps a sane one: %s", (id) =>
      Effect.gen(function*() {
        const answer = yield* send("/nowhere", { headers: { "x-request-id": id } })
        expect(answer.headers["x-request-id"]).toBe(id)
      }))

    it.effect.each(["", "a b", "x".repeat(129), "<script>", "ü"])(
      "makes one instead of %j",
      (id) =>
        Effect.gen(function*() {
          const answer = yield* send("/nowhere", { headers: { "x-request-id": id } })
          expect(answer.headers["x-request-id"]).not.toBe(id)
        })
    )

    it.effect("makes different ones", () =>
      Effect.gen(function*() {
        const answers = yield* Effect.all(Array.from({ length: 10 }, () => send("/nowhere")))
        expect(new Set(answers.map(({ headers }) => headers["x-request-id"])).size).toBe(10)
      }))
  })

  layer(served, { excludeTestServices: true })("Bodies", (it) => {
    it.effect.each(["", "{", "{} {}", "undefined", "{'a':1}", "[1,]", "\u0000", "NaN", "{\"query\":\"\u0001\"}"])(
      "refuses what is no JSON: %j",
      (body) =>
        Effect.gen(function*() {
          const { search } = yield* searching
          expectError(yield* search(body), 400, "INVALID_JSON")
        })
    )

    it.effect("refuses a request without a body where one is needed", () =>
      Effect.gen(function*() {
        const { path, token } = yield* searching
        expectError(yield* send(path, { method: "POST", bot: token }), 400, "INVALID_JSON")
      }))

    it.effect.each([
      [Uint8Array.of(0x22, 0xff, 0x22)],
      [Uint8Array.of(0x22, 0xc3, 0x22)],
      // A surrogate as if it were a character.
      [Uint8Array.of(0x22, 0xed, 0xa0, 0x80, 0x22)]
    ])("refuses what is not UTF-8: %j", ([bytes]) =>
      Effect.gen(function*() {
        const { search } = yield* searching
        expectError(yield* search(bytes ?? new Uint8Array()), 400, "INVALID_JSON")
      }))

    it.effect("skips a byte order mark", () =>
      Effect.gen(function*() {
        const { search } = yield* searching
        expect((yield* search("\ufeff{}")).status).toBe(200)
      }))

    it.effect("takes the last of duplicate keys", () =>
      Effect.gen(function*() {
        const { search } = yield* searching
        expect((yield* search(`{"limit":0,"limit":1}`)).status).toBe(200)
        expectViolations(yield* search(`{"limit":1,"limit":0}`), "limit: NUMBER_OUT_OF_RANGE")
      }))

    it.effect("takes __proto__ and constructor for members like any other", () =>
      Effect.gen(function*() {
        const { search } = yield* searching
        const answer = yield* search(`{"__proto__":{"limit":0,"polluted":true},"constructor":{"prototype":{}}}`)
        expect(answer.status).toBe(200)
        expect(Object.hasOwn(Object.prototype, "polluted")).toBe(false)
      }))

    it.effect("survives a hundred thousand brackets", () =>
      Effect.gen(function*() {
        const { search } = yield* searching
        const deep = "[".repeat(100_000)
        expectError(yield* search(deep), 400, "INVALID_JSON")
        expectViolations(yield* search(`${deep}${"]".repeat(100_000)}`), "root: INVALID_FORMAT")
        expect((yield* search(`{"deep":${deep}${"]".repeat(100_000)}}`)).status).toBe(200)
        expectViolations(yield* search(`{"query":${deep}${"]".repeat(100_000)}}`), "query: INVALID_FORMAT")
      }))

    it.effect("answers soon, and not at endless length, when very much is wrong", () =>
      Effect.gen(function*() {
        const { search } = yield* searching
        const answer = yield* search(`{"role_ids":[${Array.from({ length: 200_000 }, () => 1).join()}]}`)
        expectError(answer, 400, "INVALID_FORM_BODY")
        expect(answer.text.length).toBeLessThan(MEBIBYTE)
      }))

    it.effect.each([
      "application/json",
      "Application/JSON; charset=UTF-8",
      "application/json;charset=\"utf-8\"",
      "application/json; charset=utf8; version=1",
      "application/vnd.example+json",
      "application/problem+json"
    ])("takes the content type %s", (contentType) =>
      Effect.gen(function*() {
        const { search } = yield* searching
        expect((yield* search("{}", { "content-type": contentType })).status).toBe(200)
      }))

    it.effect("takes a body without a content type for JSON", () =>
      Effect.gen(function*() {
        const { path, token } = yield* searching
        const head = `POST ${path} HTTP/1.1\r\nHost: x\r\nAuthorization: Bot ${Redacted.value(token)}\r\n` +
          "Connection: close\r\nContent-Length: 2\r\n\r\n"
        const { answer } = yield* stream(head, Buffer.from("{}"), 1)
        expect(answer).toMatch(/^HTTP\/1\.1 200 /)
      }))

    it.effect.each([
      "text/plain",
      "application/x-www-form-urlencoded",
      "multipart/form-data; boundary=x",
      "application/json; charset=iso-8859-1",
      "application/json; charset=utf-16",
      "application/jsonp",
      "application/xml+jsonx",
      "text/json",
      "json",
      ""
    ])("refuses the content type %j", (contentType) =>
      Effect.gen(function*() {
        const { search } = yield* searching
        expectError(yield* search("{}", { "content-type": contentType }), 415, "UNSUPPORTED_MEDIA_TYPE")
      }))

    it.effect.each(["gzip", "br", "identity, gzip"])(
      "refuses the content encoding %s",
      (encoding) =>
        Effect.gen(function*() {
          const { search } = yield* searching
          expectError(yield* search("{}", { "content-encoding": encoding }), 415, "UNSUPPORTED_MEDIA_TYPE")
        })
    )

    it.effect("takes the content encoding identity", () =>
      Effect.gen(function*() {
        const { search } = yield* searching
        expect((yield* search("{}", { "content-encoding": "identity" })).status).toBe(200)
      }))

    it.effect("looks at the content type before the body, and at credentials before both", () =>
      Effect.gen(function*() {
        const { path, search } = yield* searching
        expectError(yield* search("", { "content-type": "text/plain" }), 415, "UNSUPPORTED_MEDIA_TYPE")
        expectError(yield* send(path, { body: "", headers: { "content-type": "text/plain" } }), 401, "UNAUTHORIZED")
      }))
  })

  layer(served, { excludeTestServices: true })("Large bodies", (it) => {
    const filledTo = (bytes: number) => `{"filler":"${"x".repeat(bytes - 13)}"}`

    it.effect("takes a body of 1 MiB and refuses a larger one", () =>
      Effect.gen(function*() {
        const { search } = yield* searching
        expect((yield* search(filledTo(MEBIBYTE))).status).toBe(200)
        expectError(yield* search(filledTo(MEBIBYTE + 1)), 413, "PAYLOAD_TOO_LARGE")
      }))

    it.effect("counts bytes, not characters", () =>
      Effect.gen(function*() {
        const { search } = yield* searching
        expectError(yield* search(`{"filler":"${"ü".repeat(MEBIBYTE / 2)}"}`), 413, "PAYLOAD_TOO_LARGE")
      }))

    it.effect("refuses by the declared length, before anything is read", () =>
      Effect.gen(function*() {
        const { path, token } = yield* searching
        const head = `POST ${path} HTTP/1.1\r\nHost: x\r\nAuthorization: Bot ${Redacted.value(token)}\r\n` +
          `Content-Type: application/json\r\nContent-Length: ${10 * MEBIBYTE}\r\n\r\n`
        const { answer, pieces } = yield* stream(head, Buffer.alloc(1), 1_000)
        expect(answer).toMatch(/^HTTP\/1\.1 413 [\s\S]*PAYLOAD_TOO_LARGE/)
        expect(answer.toLowerCase()).toContain("connection: close")
        expect(pieces).toBeLessThan(1_000)
      }), 15_000)

    it.effect(
      "refuses while an endless body is coming in, and the client sees the answer",
      () =>
        Effect.gen(function*() {
          const { path, token } = yield* searching
          const head = `POST ${path} HTTP/1.1\r\nHost: x\r\nAuthorization: Bot ${Redacted.value(token)}\r\n` +
            "Content-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n"
          const piece = Buffer.concat([Buffer.from("10000\r\n"), Buffer.alloc(0x10000, 0x20), Buffer.from("\r\n")])
          const { answer, pieces } = yield* stream(head, piece, 1_000)
          expect(answer).toMatch(/^HTTP\/1\.1 413 [\s\S]*PAYLOAD_TOO_LARGE/)
          expect(pieces).toBeLessThan(500)
        }),
      15_000
    )

    it.effect("is seen by a client that first sends all and only then reads", () =>
      Effect.gen(function*() {
        const { search } = yield* searching
        const answers = yield* Effect.all(Array.from({ length: 10 }, () => search(filledTo(8 * MEBIBYTE))))
        expect(answers.map(({ status }) => status)).toEqual(Array.from({ length: 10 }, () => 413))
      }), 30_000)

    it.effect("answers a caller without credentials before the body has come in", () =>
      Effect.gen(function*() {
        const head = `POST ${CONSENT} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n` +
          `Content-Type: application/json\r\nContent-Length: ${10 * MEBIBYTE}\r\n\r\n`
        const { answer } = yield* stream(head, Buffer.alloc(1), 100)
        expect(answer).toMatch(/^HTTP\/1\.1 401 /)
      }), 15_000)
  })
}
