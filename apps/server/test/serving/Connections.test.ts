import type { Answers } from "@community-messaging/http-adapter/server/connections/Connection"
import * as Connections from "@community-messaging/http-adapter/server/connections/Connections"
import * as Listener from "@community-messaging/http-adapter/server/Listener"
import * as Reply from "@community-messaging/http-adapter/server/replies/Reply"
import { describe, expect, it } from "@effect/vitest"
import { Deferred, Duration, Effect, FiberId, Logger, Stream, TestClock } from "effect"
import { createServer, type Server, type ServerOptions, type ServerResponse } from "node:http"
import type { Socket } from "node:net"
import * as RawClient from "../http/RawClient.ts"

const portOf = (server: Server): number => {
  const address = server.address()
  return typeof address === "object" && address !== null ? address.port : 0
}

/** A listening server with its connections; it ends with the scope. */
const listening = (options: Connections.Options = {}, serverOptions: ServerOptions = Connections.SERVER_OPTIONS) =>
  Effect.gen(function*() {
    const server = createServer(serverOptions)
    const connections = yield* Connections.make(server, options)
    yield* Effect.acquireRelease(
      Effect.async<void>((resume) => void server.listen(0, "127.0.0.1", () => resume(Effect.void))),
      () =>
        Effect.sync(() => {
          server.close()
          server.closeAllConnections()
        })
    )
    return { server, connections, port: portOf(server) }
  })

const NOTHING = { isClosed: false, abandon: () => {}, endStream: () => {} }

const answersWith = (answer: (url: string, response: ServerResponse) => void): Answers => ({
  answer: ({ url = "" }, response, refusal) => {
    if (refusal === undefined) answer(url, response)
    else response.writeHead(refusal.status).end(JSON.stringify(refusal.error))
    return NOTHING
  }
})

/** Answers all requests but the first one, whose response is returned when it begins. */
const serveAllButFirst = (connections: Connections.Connections) =>
  Effect.map(Deferred.make<ServerResponse>(), (first) => {
    connections.serve(answersWith((url, response) => {
      if (url === "/0") Deferred.unsafeDone(first, Effect.succeed(response))
      else response.end(url)
    }))
    return Deferred.await(first)
  })

const get = (path: string) => `GET ${path} HTTP/1.1\r\nHost: x\r\n\r\n`

const LAST = "GET /last HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n"

/** That many requests at once; after the last one, the connection is closed. */
const getAll = (count: number) => [...Array.from({ length: count - 1 }, (_, index) => get(`/${index}`)), LAST].join("")

describe("A server that cannot listen", () => {
  it.scopedLive("logs no refused connections", () =>
    Effect.gen(function*() {
      const log: Array<unknown> = []
      const logger = Logger.make(({ message }) => void log.push(message))
      const { port } = yield* listening()
      const server = createServer(Connections.SERVER_OPTIONS)
      yield* Connections.make(server).pipe(Effect.provide(Logger.replace(Logger.defaultLogger, logger)))
      yield* Effect.async<void>((resume) => {
        server.on("error", () => resume(Effect.yieldNow()))
        server.listen(port, "127.0.0.1")
      })
      expect(log).toEqual([])
    }))
})

describe("The log of refused connections", () => {
  it.scoped("has a line a minute at most, with the number since the line before", () =>
    Effect.gen(function*() {
      const log: Array<unknown> = []
      const logger = Logger.map(Logger.structuredLogger, ({ annotations }) => void log.push(annotations["count"]))
      const { connections, port } = yield* listening({ maxConnections: 0 }).pipe(
        Effect.provide(Logger.replace(Logger.defaultLogger, logger))
      )
      connections.serve(answersWith(() => {}))
      const refused = Effect.scoped(Effect.flatMap(RawClient.open(port), (client) => {
        client.write(get("/"))
        return client.until(/SERVICE_UNAVAILABLE/)
      }))
      yield* refused
      yield* Effect.replicateEffect(refused, 2)
      for (const _ of [1, 2]) {
        yield* TestClock.adjust("1 minute")
        yield* refused
      }
      expect(log).toEqual([1, 3, 1])
    }))
})

describe("Requests that are pipelined on one connection", () => {
  it.scopedLive("are begun one after another and answered in their order", () =>
    Effect.gen(function*() {
      const { connections, port } = yield* listening()
      const begun: Array<string> = []
      const responses: Array<ServerResponse> = []
      connections.serve(answersWith((url, response) => {
        begun.push(url)
        responses.push(response)
        // The first waits for the test. If the second began beside it, it would have ended by then.
        if (url !== "/1") response.end(url)
      }))
      const client = yield* RawClient.open(port)
      client.write(get("/1") + get("/2") + get("/3"))
      const other = yield* RawClient.open(port)
      other.write(get("/other"))
      yield* other.until(/\/other/)
      expect(begun).toEqual(["/1", "/other"])
      responses[begun.indexOf("/1")]?.end("/1")
      const received = yield* client.until(/\/3$/)
      expect(begun).toEqual(["/1", "/other", "/2", "/3"])
      expect(received.match(/(?<=\r\n\r\n)\/\d/g)).toEqual(["/1", "/2", "/3"])
    }))

  it.scopedLive("are too many before the server answers: the last connection is closed, and the others are answered", () =>
    Effect.gen(function*() {
      const { connections, port, server } = yield* listening()
      const isParsed = yield* Deferred.make<void>()
      server.on("request", () => Deferred.unsafeDone(isParsed, Effect.void))
      const client = yield* RawClient.open(port)
      client.write(getAll(4_000))
      yield* Deferred.await(isParsed)
      const other = yield* RawClient.open(port)
      other.write(getAll(4_000))
      expect(yield* other.closed).toBe("")
      connections.serve(answersWith((url, response) => response.end(url)))
      expect(RawClient.statuses(yield* client.closed)).toHaveLength(4_000)
    }))

  it.scopedLive("are too many on all connections together: the last one is closed, and the others are answered", () =>
    Effect.gen(function*() {
      const { connections, port } = yield* listening()
      const first = yield* serveAllButFirst(connections)
      const client = yield* RawClient.open(port)
      client.write(getAll(4_000))
      const response = yield* first
      // Node reads 64 KiB of each at once: two thirds of what may wait.
      const other = yield* RawClient.open(port)
      other.write(getAll(4_000))
      expect(yield* other.closed).toBe("")
      response.end("/0")
      expect(RawClient.statuses(yield* client.closed)).toHaveLength(4_000)
    }))

  it.scopedLive("do not count any more when their client has disconnected", () =>
    Effect.gen(function*() {
      const { connections, port, server } = yield* listening()
      const isClosed = yield* Deferred.make<void>()
      server.once("connection", (socket) => socket.once("close", () => Deferred.unsafeDone(isClosed, Effect.void)))
      const first = yield* serveAllButFirst(connections)
      const client = yield* RawClient.open(port)
      client.write(getAll(2_000))
      const response = yield* first
      client.close()
      // The server notices that when it writes the responses.
      response.end("/0")
      yield* Deferred.await(isClosed)
      const other = yield* RawClient.open(port)
      other.write(get("/other").repeat(1_500) + LAST)
      expect(RawClient.statuses(yield* other.closed)).toHaveLength(1_501)
    }))

  it.scopedLive("wait in the network if they exceed one read, and are all answered", () =>
    Effect.gen(function*() {
      const { connections, port, server } = yield* listening()
      let parsed = 0
      server.on("request", () => {
        parsed += 1
      })
      const first = yield* serveAllButFirst(connections)
      const client = yield* RawClient.open(port)
      client.write(getAll(4_000))
      const response = yield* first
      const other = yield* RawClient.open(port)
      other.write(get("/other"))
      yield* other.until(/\/other/)
      // Node reads 64 KiB at once.
      expect(parsed).toBeLessThan(3_000)
      response.end("/0")
      const received = yield* client.closed
      expect(RawClient.statuses(received)).toHaveLength(4_000)
    }))

  it.scopedLive("give other connections their turn", () =>
    Effect.gen(function*() {
      const { connections, port } = yield* listening()
      const begun: Array<string> = []
      const isBegun = yield* Deferred.make<void>()
      connections.serve(answersWith((url, response) => {
        begun.push(url)
        Deferred.unsafeDone(isBegun, Effect.void)
        response.end(url)
      }))
      const other = yield* RawClient.open(port)
      const client = yield* RawClient.open(port)
      client.write(getAll(1_000))
      yield* Deferred.await(isBegun)
      other.write(get("/other"))
      yield* client.closed
      expect(begun.indexOf("/other")).toBeGreaterThan(0)
      expect(begun.indexOf("/other")).toBeLessThan(900)
    }))
})

describe("A client that has finished sending", () => {
  it.scopedLive("gets the responses to all pipelined requests", () =>
    Effect.gen(function*() {
      const { connections, port } = yield* listening()
      connections.serve(answersWith((url, response) => void setImmediate(() => response.end(url))))
      const client = yield* RawClient.open(port)
      client.write([0, 1, 2].map((index) => get(`/${index}`)).join(""))
      client.finish()
      expect(RawClient.statuses(yield* client.closed)).toEqual([200, 200, 200])
    }))

  it.scopedLive("cannot keep a stream or a connection open for long: it may have disconnected", () =>
    Effect.gen(function*() {
      const { connections, port } = yield* listening()
      const ended = yield* Deferred.make<void>()
      connections.serve({
        ...answersWith(() => {}),
        answer: () => ({ ...NOTHING, endStream: () => Deferred.unsafeDone(ended, Effect.void) })
      })
      const client = yield* RawClient.open(port)
      client.write(get("/0"))
      client.finish()
      yield* Deferred.await(ended)
      expect(yield* client.closed).toBe("")
    }))
})

describe("A request that arrives before the server can answer", () => {
  it.scopedLive("is answered as soon as it can", () =>
    Effect.gen(function*() {
      const { connections, port, server } = yield* listening()
      const isParsed = yield* Deferred.make<void>()
      server.on("request", () => Deferred.unsafeDone(isParsed, Effect.void))
      const client = yield* RawClient.open(port)
      client.write(get("/1") + get("/2"))
      yield* Deferred.await(isParsed)
      connections.serve(answersWith((url, response) => response.end(url)))
      expect(RawClient.statuses(yield* client.until(/\/2$/))).toEqual([200, 200])
    }))
})

describe("A request whose headers do not arrive in time", () => {
  it.scopedLive("is answered with 408, in the form of all errors, and its connection is closed", () =>
    Effect.gen(function*() {
      const soon = { ...Connections.SERVER_OPTIONS, headersTimeout: 500, connectionsCheckingInterval: 10 }
      const { connections, port } = yield* listening({}, soon)
      connections.serve(answersWith((url, response) => response.end(url)))
      const client = yield* RawClient.open(port)
      client.write("GET / HTTP/1.1\r\nHost: x\r\n")
      const received = yield* client.closed
      expect(RawClient.statuses(received)).toEqual([408])
      expect(received).toMatch(/\r\n\r\n\{"code":"REQUEST_TIMEOUT",/)
    }))

  it.scopedLive("gets no response on an unused connection", () =>
    Effect.gen(function*() {
      const soon = { ...Connections.SERVER_OPTIONS, headersTimeout: 20, connectionsCheckingInterval: 10 }
      const { connections, port } = yield* listening({}, soon)
      connections.serve(answersWith((url, response) => response.end(url)))
      const client = yield* RawClient.open(port)
      expect(yield* client.closed).toBe("")
    }))
})

/** A server with this page alone, and an effect that waits until one of its connections is closed. */
const servingPage = (reply: Reply.Reply, longestSilence: Duration.DurationInput) =>
  Effect.gen(function*() {
    const { connections, port, server } = yield* listening()
    const isClosed = Deferred.unsafeMake<void>(FiberId.none)
    server.on("connection", (socket: Socket) => socket.once("close", () => Deferred.unsafeDone(isClosed, Effect.void)))
    connections.serve(
      yield* Listener.make(
        () => ({ _tag: "Found", route: { _tag: "Page", path: "/", reply }, path: {} }),
        () => ({ reply: Effect.never, end: () => {} }),
        (_source, whenDone) => whenDone(),
        Duration.decode(longestSilence)
      )
    )
    return { closed: Deferred.await(isClosed), port, server }
  })

describe("A client that never reads", () => {
  it.scopedLive("is disconnected when it may no longer read, also if nothing can be written to it", () =>
    Effect.gen(function*() {
      const revocation = yield* Deferred.make<void>()
      const isBlocked = Deferred.unsafeMake<void>(FiberId.none)
      const chunks = Stream.repeatValue("x".repeat(1_000_000))
      const body = { contentType: "text/plain", content: { chunks, revoked: Deferred.await(revocation) } }
      const { closed, port, server } = yield* servingPage({ status: 200, headers: {}, body }, "1 minute")
      server.on("request", (_source, { socket }: ServerResponse) => {
        const look = () => {
          if ((socket?.writableLength ?? 0) > 0) Deferred.unsafeDone(isBlocked, Effect.void)
          else setImmediate(look)
        }
        look()
      })
      const client = yield* RawClient.open(port)
      client.pause()
      client.write(get("/"))
      yield* Deferred.await(isBlocked)
      yield* Deferred.succeed(revocation, undefined)
      yield* closed
    }))

  it.scopedLive("is disconnected when it has accepted no byte for too long", () =>
    Effect.gen(function*() {
      const large = Reply.text(200, "text/plain", "x".repeat(1_000_000), {})
      const { closed, port } = yield* servingPage(large, "50 millis")
      const client = yield* RawClient.open(port)
      client.pause()
      client.write(get("/").repeat(100))
      yield* closed
    }))
})
