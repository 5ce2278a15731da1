import { Effect, Redacted } from "effect"
import { expect } from "vitest"
import { expectError, expectViolations } from "../../Expectations.ts"
import { send } from "../../HttpClient.ts"
import { at } from "../../JsonPath.ts"
import { stream } from "../../RawConnection.ts"
import { searching } from "../../Searching.ts"
import { onMemory } from "../../TestServer.ts"

/** Valid and invalid bodies of all operations (API gaps, Wire conventions and Errors). */
onMemory("Bodies", (it) => {
  it.effect.each(["", "{", "{} {}", "{'a':1}"])(
    "refuses a body that is not JSON: %j",
    (body) =>
      Effect.gen(function*() {
        const { search } = yield* searching
        expectError(yield* search(body), 400, "INVALID_JSON")
      })
  )

  it.effect("refuses a request without a required body", () =>
    Effect.gen(function*() {
      const { path, token } = yield* searching
      expectError(yield* send(path, { method: "POST", bot: token }), 400, "INVALID_JSON")
    }))

  it.effect.each([
    [Uint8Array.of(0x22, 0xff, 0x22)],
    [Uint8Array.of(0x22, 0xc3, 0x22)],
    // A surrogate as if it were a character.
    [Uint8Array.of(0x22, 0xed, 0xa0, 0x80, 0x22)]
  ])("refuses a body that is not UTF-8: %j", ([bytes]) =>
    Effect.gen(function*() {
      const { search } = yield* searching
      expectError(yield* search(bytes ?? new Uint8Array()), 400, "INVALID_JSON")
    }))

  it.effect("reports the limit that a body exceeds, with and without a declared length", () =>
    Effect.gen(function*() {
      const { path, search, token } = yield* searching
      const body = `{"filler":"${"x".repeat(8_192)}"}`
      expect(at((yield* search(body)).json, "message")).toBe("The body is larger than 8192 bytes.")
      const head = `POST ${path} HTTP/1.1\r\nHost: x\r\nAuthorization: Bot ${Redacted.value(token)}\r\n` +
        "Content-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n"
      const { response } = yield* stream(head, Buffer.from(`${body.length.toString(16)}\r\n${body}\r\n`), 1)
      expect(response).toContain("The body is larger than 8192 bytes.")
    }))

  it.effect("skips a byte order mark", () =>
    Effect.gen(function*() {
      const { search } = yield* searching
      expect((yield* search("\ufeff{}")).status).toBe(200)
    }))

  it.effect("uses the last of duplicate keys", () =>
    Effect.gen(function*() {
      const { search } = yield* searching
      expect((yield* search(`{"limit":0,"limit":1}`)).status).toBe(200)
      expectViolations(yield* search(`{"limit":1,"limit":0}`), "limit: NUMBER_OUT_OF_RANGE")
    }))

  it.effect("treats __proto__ and constructor like other members", () =>
    Effect.gen(function*() {
      const { search } = yield* searching
      const response = yield* search(`{"__proto__":{"limit":0,"polluted":true},"constructor":{"prototype":{}}}`)
      expect(response.status).toBe(200)
      expect(Object.hasOwn(Object.prototype, "polluted")).toBe(false)
    }))

  it.effect("refuses more than 64 levels of brackets, at any place", () =>
    Effect.gen(function*() {
      const { search } = yield* searching
      const nested = (depth: number) => "[".repeat(depth) + "]".repeat(depth)
      expectViolations(yield* search(nested(64)), "root: INVALID_FORMAT")
      expect((yield* search(`{"deep":${nested(63)}}`)).status).toBe(200)
      expectViolations(yield* search(`{"query":${nested(63)}}`), "query: INVALID_FORMAT")
      for (const body of [nested(65), nested(4_000), "[".repeat(8_000), `{"deep":${nested(64)}}`]) {
        expectError(yield* search(body), 400, "INVALID_JSON")
      }
    }))

  it.effect("reports a list that is too long, and only violations of its first items", () =>
    Effect.gen(function*() {
      const { search } = yield* searching
      const response = yield* search(`{"role_ids":[${Array.from({ length: 4_000 }, () => 1).join()}]}`)
      expectViolations(
        response,
        "role_ids: TOO_MANY_ITEMS",
        ...Array.from({ length: 11 }, (_, index) => `role_ids.${index}: INVALID_FORMAT`)
      )
    }))

  it.effect.each([
    "application/json",
    "Application/JSON; charset=UTF-8",
    "application/json;charset=\"utf-8\"",
    "application/json; charset=utf8; version=1",
    "application/vnd.example+json",
    "application/problem+json"
  ])("accepts the content type %s", (contentType) =>
    Effect.gen(function*() {
      const { search } = yield* searching
      expect((yield* search("{}", { "content-type": contentType })).status).toBe(200)
    }))

  it.effect("reads a body without a content type as JSON", () =>
    Effect.gen(function*() {
      const { path, token } = yield* searching
      const head = `POST ${path} HTTP/1.1\r\nHost: x\r\nAuthorization: Bot ${Redacted.value(token)}\r\n` +
        "Connection: close\r\nContent-Length: 2\r\n\r\n"
      const { response } = yield* stream(head, Buffer.from("{}"), 1)
      expect(response).toMatch(/^HTTP\/1\.1 200 /)
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

  it.effect("accepts the content encoding identity, and an empty list of encodings", () =>
    Effect.gen(function*() {
      const { search } = yield* searching
      for (const encoding of ["identity", "", ", Identity ,"]) {
        expect((yield* search("{}", { "content-encoding": encoding })).status).toBe(200)
      }
    }))

  it.effect("checks the content type before the body, and credentials before both", () =>
    Effect.gen(function*() {
      const { path, search } = yield* searching
      expectError(yield* search("", { "content-type": "text/plain" }), 415, "UNSUPPORTED_MEDIA_TYPE")
      expectError(yield* send(path, { body: "", headers: { "content-type": "text/plain" } }), 401, "UNAUTHORIZED")
    }))
})
