import { Effect, Redacted } from "effect"
import { expect } from "vitest"
import { expectError } from "../../Expectations.ts"
import { searching } from "../../Searching.ts"
import { connected, onMemory } from "../../TestServer.ts"

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

  const PIECE = `10000\r\n${" ".repeat(0x10000)}\r\n`

  it.scoped.each([
    ["by the declared length, before the body is read", `Content-Length: ${10 * MEBIBYTE}\r\n\r\n`],
    ["while an endless body arrives", `Transfer-Encoding: chunked\r\n\r\n${PIECE}${PIECE}`]
  ])("refuses %s, and the client sees the response", ([, rest = ""]) =>
    Effect.gen(function*() {
      const { path, token } = yield* searching
      const client = yield* connected
      client.write(`POST ${path} HTTP/1.1\r\nHost: x\r\nAuthorization: Bot ${Redacted.value(token)}\r\n${rest}`)
      const response = yield* client.until(/PAYLOAD_TOO_LARGE/)
      expect(response).toMatch(/^HTTP\/1\.1 413 [\s\S]*\r\nconnection: close\r\n/i)
    }))

  it.effect("is seen by a client that first sends everything and only then reads", () =>
    Effect.gen(function*() {
      const { search } = yield* searching
      const answers = yield* Effect.all(Array.from({ length: 10 }, () => search(filledTo(8 * MEBIBYTE))))
      expect(answers.map(({ status }) => status)).toEqual(Array.from({ length: 10 }, () => 413))
    }), 30_000)
})
