import { Effect } from "effect"
import { expect } from "vitest"
import { expectError } from "../../Expectations.ts"
import { send } from "../../HttpClient.ts"
import { at } from "../../JsonPath.ts"
import { searching } from "../../Searching.ts"
import { connected, onMemory } from "../../TestServer.ts"

/** Valid and invalid bodies of all operations (API gaps, Wire conventions and Errors). */
onMemory("Bodies", (it) => {
  it.effect("refuses a body that is empty, not JSON or not UTF-8", () =>
    Effect.gen(function*() {
      const { path, search, token } = yield* searching
      for (const body of ["", "{", Uint8Array.of(0x22, 0xff, 0x22)]) {
        expectError(yield* search(body), 400, "INVALID_JSON")
      }
      expectError(yield* send(path, { method: "POST", bot: token }), 400, "INVALID_JSON")
    }))

  it.effect("accepts a body of 8 KiB, and reports the limit of a larger one, with and without a declared length", () =>
    Effect.gen(function*() {
      const { search } = yield* searching
      const filledTo = (bytes: number) => `{"filler":"${"x".repeat(bytes - 13)}"}`
      expect((yield* search(filledTo(8_192))).status).toBe(200)
      const body = filledTo(8_193)
      const declared = yield* search(body)
      expectError(declared, 413, "PAYLOAD_TOO_LARGE")
      expect(at(declared.json, "message")).toBe("The body is larger than 8192 bytes.")
      expect((yield* search(body, { "transfer-encoding": "chunked" })).json).toEqual(declared.json)
    }))

  it.scoped("reads a body without a content type as JSON", () =>
    Effect.gen(function*() {
      const { head } = yield* searching
      const client = yield* connected
      client.write(`${head}Connection: close\r\nContent-Length: 2\r\n\r\n{}`)
      expect(yield* client.closed).toMatch(/^HTTP\/1\.1 200 /)
    }))

  it.effect.each([
    { "content-type": "text/plain" },
    { "content-type": "application/json; charset=utf-16" },
    { "content-type": "" }
  ])("refuses another type: %j", (headers) =>
    Effect.gen(function*() {
      const { search } = yield* searching
      expectError(yield* search("{}", { ...headers }), 415, "UNSUPPORTED_MEDIA_TYPE")
    }))

  it.effect.each(["br", "identity, gzip"])(
    "refuses a content coding, and names what it accepts: %s",
    (coding) =>
      Effect.gen(function*() {
        const { search } = yield* searching
        const response = yield* search("{}", { "content-encoding": coding })
        expectError(response, 415, "UNSUPPORTED_MEDIA_TYPE")
        expect(response.headers["accept-encoding"]).toBe("identity")
      })
  )

  it.effect("accepts every type of JSON, the content encoding identity, and an empty list of encodings", () =>
    Effect.gen(function*() {
      const { search } = yield* searching
      expect((yield* search("{}", { "content-type": "application/vnd.example+json; version=1" })).status).toBe(200)
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
