import { Effect, Redacted } from "effect"
import { expect } from "vitest"
import { expectError } from "../../Expectations.ts"
import { stream } from "../../RawConnection.ts"
import { searching } from "../../Searching.ts"
import { onMemory } from "../../TestServer.ts"

const KIBIBYTE = 1024
const MEBIBYTE = 1024 * KIBIBYTE

/** The maximum size of a search. */
const LIMIT = 8 * KIBIBYTE

/** The maximum size of a body, and the refusal of a larger one (API gaps, Errors). */
onMemory("Large bodies", (it) => {
  const filledTo = (bytes: number) => `{"filler":"${"x".repeat(bytes - 13)}"}`

  it.effect("accepts a body of 8 KiB and refuses a larger one", () =>
    Effect.gen(function*() {
      const { search } = yield* searching
      expect((yield* search(filledTo(LIMIT))).status).toBe(200)
      expectError(yield* search(filledTo(LIMIT + 1)), 413, "PAYLOAD_TOO_LARGE")
    }))

  it.effect("refuses by the declared length, before the body is read", () =>
    Effect.gen(function*() {
      const { path, token } = yield* searching
      const head = `POST ${path} HTTP/1.1\r\nHost: x\r\nAuthorization: Bot ${Redacted.value(token)}\r\n` +
        `Content-Type: application/json\r\nContent-Length: ${10 * MEBIBYTE}\r\n\r\n`
      const { response, pieces } = yield* stream(head, Buffer.alloc(1), 1_000)
      expect(response).toMatch(/^HTTP\/1\.1 413 [\s\S]*PAYLOAD_TOO_LARGE/)
      expect(response.toLowerCase()).toContain("connection: close")
      expect(pieces).toBeLessThan(1_000)
    }), 15_000)

  it.effect(
    "refuses while an endless body arrives, and the client sees the response",
    () =>
      Effect.gen(function*() {
        const { path, token } = yield* searching
        const head = `POST ${path} HTTP/1.1\r\nHost: x\r\nAuthorization: Bot ${Redacted.value(token)}\r\n` +
          "Content-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n"
        const piece = Buffer.concat([Buffer.from("10000\r\n"), Buffer.alloc(0x10000, 0x20), Buffer.from("\r\n")])
        const { response, pieces } = yield* stream(head, piece, 1_000)
        expect(response).toMatch(/^HTTP\/1\.1 413 [\s\S]*PAYLOAD_TOO_LARGE/)
        expect(pieces).toBeLessThan(500)
      }),
    15_000
  )

  it.effect("is seen by a client that first sends everything and only then reads", () =>
    Effect.gen(function*() {
      const { search } = yield* searching
      const answers = yield* Effect.all(Array.from({ length: 10 }, () => search(filledTo(8 * MEBIBYTE))))
      expect(answers.map(({ status }) => status)).toEqual(Array.from({ length: 10 }, () => 413))
    }), 30_000)
})
