import { Effect } from "effect"
import { expect } from "vitest"
import { searching } from "../../Searching.ts"
import { connected, onMemory } from "../../TestServer.ts"

const KIBIBYTE = 1024
const MEBIBYTE = 1024 * KIBIBYTE

/** The refusal of a body that is much too large (API gaps, Errors). */
onMemory("Large bodies", (it) => {
  const PIECE = `10000\r\n${" ".repeat(0x10000)}\r\n`

  it.scoped.each([
    ["by the declared length, before the body is read", `Content-Length: ${10 * MEBIBYTE}\r\n\r\n`],
    ["while an endless body arrives", `Transfer-Encoding: chunked\r\n\r\n${PIECE}${PIECE}`]
  ])("refuses %s, and the client sees the response", ([, rest = ""]) =>
    Effect.gen(function*() {
      const { head } = yield* searching
      const client = yield* connected
      client.write(`${head}${rest}`)
      const response = yield* client.until(/PAYLOAD_TOO_LARGE/)
      expect(response).toMatch(/^HTTP\/1\.1 413 [\s\S]*\r\nconnection: close\r\n/i)
    }))

  it.effect("is seen by a client that first sends everything and only then reads", () =>
    Effect.gen(function*() {
      const { search } = yield* searching
      const answers = yield* Effect.all(Array.from({ length: 10 }, () => search(" ".repeat(8 * MEBIBYTE))))
      expect(answers.map(({ status }) => status)).toEqual(Array.from({ length: 10 }, () => 413))
    }))
})
