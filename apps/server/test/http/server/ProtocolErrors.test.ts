import { layer } from "@effect/vitest"
import { Effect, Logger } from "effect"
import { expect } from "vitest"
import { at } from "../JsonPath.ts"
import * as RawClient from "../RawClient.ts"
import { searching } from "../Searching.ts"
import { connected, onMemory, testServer } from "../TestServer.ts"

const log: Array<Readonly<Record<string, unknown>>> = []

const logger = Logger.map(Logger.structuredLogger, ({ annotations, message }) => {
  log.push({ message, ...annotations })
})

const headerOf = (response: string, name: string): string | undefined =>
  new RegExp(`^${name}: (.*)\r$`, "im").exec(response)?.[1]

const NOWHERE = "GET /nowhere HTTP/1.1\r\nHost: x\r\n"

const REFUSED: ReadonlyArray<readonly [what: string, sent: string, status: number, code: string]> = [
  ["an invalid request line", "nonsense\r\n\r\n", 400, "BAD_REQUEST"],
  ["another protocol", "\x16\x03\x01\x02\x00\x01\x00\x01", 400, "BAD_REQUEST"],
  ["HTTP/2 without an offer", "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n", 400, "BAD_REQUEST"],
  ["a header without a name", `${NOWHERE}: x\r\n\r\n`, 400, "BAD_REQUEST"],
  ["two lengths", `${NOWHERE}Content-Length: 1\r\nContent-Length: 2\r\n\r\n`, 400, "BAD_REQUEST"],
  ["a length and chunks", `${NOWHERE}Content-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n`, 400, "BAD_REQUEST"],
  ["no host", "GET /nowhere HTTP/1.1\r\n\r\n", 400, "BAD_REQUEST"],
  ["two hosts", `${NOWHERE}Host: y\r\n\r\n`, 400, "BAD_REQUEST"],
  ["two hosts among many headers", `${NOWHERE}${"A:\r\n".repeat(2_500)}Host: y\r\n\r\n`, 400, "BAD_REQUEST"],
  ["a host with a user and a path", "GET /nowhere HTTP/1.1\r\nHost: a b@c/\r\n\r\n", 400, "BAD_REQUEST"],
  ["two hosts in one header", "GET /nowhere HTTP/1.1\r\nHost: x,y\r\n\r\n", 400, "BAD_REQUEST"],
  ["another version of HTTP", "GET /nowhere HTTP/2.0\r\nHost: x\r\n\r\n", 400, "BAD_REQUEST"],
  ["the same host twice", `${NOWHERE}Host: x\r\n\r\n`, 400, "BAD_REQUEST"],
  ["another transfer coding", `${NOWHERE}Transfer-Encoding: gzip, chunked\r\n\r\n0\r\n\r\n`, 400, "BAD_REQUEST"],
  ["a transfer coding without chunks", `${NOWHERE}Transfer-Encoding: gzip\r\n\r\nbody`, 400, "BAD_REQUEST"],
  ["chunks in HTTP/1.0", "GET /nowhere HTTP/1.0\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n", 400, "BAD_REQUEST"],
  ["an unknown expectation", `${NOWHERE}Expect: a-miracle\r\n\r\n`, 417, "EXPECTATION_FAILED"],
  ["headers that are too large", `${NOWHERE}X-Filler: ${"x".repeat(20_000)}\r\n\r\n`, 431, "HEADERS_TOO_LARGE"],
  ["a use as a proxy", "CONNECT example.test:443 HTTP/1.1\r\nHost: example.test:443\r\n\r\n", 405, "METHOD_NOT_ALLOWED"]
]

/** Requests that the HTTP parser refuses, or would refuse in another form than the service (API gaps, Errors). */
layer(testServer({ logger }), { excludeTestServices: true })("Invalid HTTP", (it) => {
  it.scoped.each(REFUSED)(
    "gets an error like all others, and is in the log: %s",
    ([, sent, status, code]) =>
      Effect.gen(function*() {
        log.length = 0
        const client = yield* connected
        client.write(sent)
        const response = yield* client.closed
        expect(RawClient.statuses(response)).toEqual([status])
        const [, body = ""] = response.split("\r\n\r\n")
        expect(JSON.parse(body)).toMatchObject({ code })
        expect(headerOf(response, "content-length")).toBe(String(Buffer.byteLength(body)))
        expect(headerOf(response, "connection")).toBe("close")
        expect(headerOf(response, "cache-control")).toBe("no-store")
        expect(headerOf(response, "x-content-type-options")).toBe("nosniff")
        expect(headerOf(response, "date")).toBeDefined()
        expect(log).toEqual([expect.objectContaining({
          message: "Request",
          route: "unmatched",
          status,
          error_code: code,
          request_id: headerOf(response, "x-request-id")
        })])
      })
  )

  it.scoped("cannot follow a request for another protocol, which closes the connection", () =>
    Effect.gen(function*() {
      const client = yield* connected
      client.write(`${NOWHERE}Connection: upgrade\r\nUpgrade: websocket\r\n\r\n`)
      const response = yield* client.closed
      expect(RawClient.statuses(response)).toEqual([404])
      expect(headerOf(response, "connection")).toBe("close")
    }))

  it.scoped("does not include an offer of HTTP/2, which some clients send with every request", () =>
    Effect.gen(function*() {
      const client = yield* connected
      client.write(`${NOWHERE}Connection: Upgrade, HTTP2-Settings\r\nUpgrade: H2C\r\nHTTP2-Settings: AAMAAABk\r\n\r\n`)
      yield* client.until(/NOT_FOUND/)
      client.write(`${NOWHERE}Connection: close\r\n\r\n`)
      expect(RawClient.statuses(yield* client.closed)).toEqual([404, 404])
    }))

  it.scoped("is answered after the previous requests", () =>
    Effect.gen(function*() {
      const client = yield* connected
      client.write(`${NOWHERE}\r\n${NOWHERE}\r\nnonsense\r\n\r\n`)
      expect(RawClient.statuses(yield* client.closed)).toEqual([404, 404, 400])
    }))

  it.scoped("in a body is the one response to its request", () =>
    Effect.gen(function*() {
      log.length = 0
      const { head } = yield* searching
      const client = yield* connected
      client.write(`${head}Transfer-Encoding: chunked\r\n\r\nnonsense\r\n`)
      const response = yield* client.until(/BAD_REQUEST/)
      expect(RawClient.statuses(response)).toEqual([400])
      expect(log.map(({ route, status }) => [route, status])).toEqual([["/v1/guilds/:guild_id/members-search", 400]])
    }))

  it.scoped("is 413 if the extensions of chunks are too large", () =>
    Effect.gen(function*() {
      const { head } = yield* searching
      const client = yield* connected
      client.write(`${head}Transfer-Encoding: chunked\r\n\r\n2;${"x".repeat(20_000)}\r\n`)
      expect(yield* client.until(/PAYLOAD_TOO_LARGE/)).toMatch(/^HTTP\/1\.1 413 /)
    }))

  it.scoped("does not include a missing host in HTTP/1.0", () =>
    Effect.gen(function*() {
      const client = yield* connected
      client.write("GET /nowhere HTTP/1.0\r\n\r\n")
      expect(RawClient.statuses(yield* client.closed)).toEqual([404])
    }))
})

onMemory("A response without a body", (it) => {
  // The server waits for the rest of a body for longer than this test may take.
  it.scoped.each(
    [["HEAD", "/v1/openapi.json", 200], ["OPTIONS", "/v1/users/@me/scheduled-messages", 204]] as const
  )("to %s does not wait for the body of the request", ([method, path, status]) =>
    Effect.gen(function*() {
      const client = yield* connected
      client.write(`${method} ${path} HTTP/1.1\r\nHost: x\r\nConnection: close\r\nContent-Length: 2\r\n\r\n`)
      expect(RawClient.statuses(yield* client.until(/\r\n\r\n$/))).toEqual([status])
      client.write("{}")
      yield* client.closed
    }), 4_000)
})

onMemory("A client that waits for 100 Continue", (it) => {
  const waiting = (head: string, length = 2) => `${head}Content-Length: ${length}\r\nExpect: 100-continue\r\n\r\n`

  it.scoped("gets it before its body is read", () =>
    Effect.gen(function*() {
      const { head } = yield* searching
      const client = yield* connected
      client.write(waiting(head))
      yield* client.until(/^HTTP\/1\.1 100 Continue\r\n\r\n$/)
      client.write("{}")
      expect(RawClient.statuses(yield* client.until(/\}$/))).toEqual([100, 200])
    }))

  it.scoped.each(
    [
      ["credentials are missing", /Authorization.*\r\n/, 2, 401],
      ["its body would be too large", "", 30_000_000, 413]
    ] as const
  )("does not get it if %s", ([, missing, length, status]) =>
    Effect.gen(function*() {
      const { head } = yield* searching
      const client = yield* connected
      client.write(waiting(head.replace(missing, ""), length))
      const response = yield* client.closed
      expect(RawClient.statuses(response)).toEqual([status])
      expect(at(JSON.parse(response.split("\r\n\r\n")[1] ?? ""), "code")).toBeDefined()
    }))
})

layer(testServer({ connections: { maxConnections: 1 } }), { excludeTestServices: true })(
  "Connections beyond the limit",
  (it) => {
    it.scoped("get this error, with the time of the next attempt, and are closed", () =>
      Effect.gen(function*() {
        const first = yield* connected
        first.write(`${NOWHERE}\r\n`)
        yield* first.until(/NOT_FOUND/)
        const second = yield* connected
        second.write(`${NOWHERE}\r\n`)
        const response = yield* second.closed
        expect(response).toMatch(/^HTTP\/1\.1 503 [\s\S]*"code":"SERVICE_UNAVAILABLE"/)
        expect([headerOf(response, "retry-after"), headerOf(response, "connection")]).toEqual(["5", "close"])
        first.write(`${NOWHERE}Connection: close\r\n\r\n`)
        expect(RawClient.statuses(yield* first.closed)).toEqual([404, 404])
        const third = yield* connected
        third.write(`${NOWHERE}\r\n`)
        expect(RawClient.statuses(yield* third.until(/NOT_FOUND/))).toEqual([404])
      }))
  }
)
