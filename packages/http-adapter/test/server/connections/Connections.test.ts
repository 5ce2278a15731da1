import { TURN_MILLIS } from "@community-messaging/event-loop/FairTurns"
import * as Connections from "@community-messaging/http-adapter/server/connections/Connections"
import type { Page } from "@community-messaging/http-adapter/server/Page"
import type { Reply } from "@community-messaging/http-adapter/server/replies/Reply"
import { describe, expect, it } from "@effect/vitest"
import { Deferred, Duration, Effect, Fiber, Stream } from "effect"
import { createServer } from "node:http"
import { connect, type Server, type Socket } from "node:net"
import {
  afterTurn,
  connectionHeaders,
  fine,
  HEAD,
  large,
  LAST,
  listening,
  makeAnswers,
  makeRecord,
  portOf,
  sent,
  untilCutOff
} from "../Exchanged.ts"

const REQUEST = `GET / ${HEAD}\r\n`

/** A stream that never ends by itself. */
const stream: Reply = {
  status: 200,
  headers: {},
  body: {
    contentType: "text/event-stream",
    content: { chunks: Stream.concat(Stream.make("begun"), Stream.never), revoked: Effect.never }
  }
}

/** A server with this reply, and an effect that stops it, however long that takes. */
const serving = (reply: Page["reply"], writeTimeout: Duration.DurationInput = Duration.infinity) =>
  Effect.gen(function*() {
    const server = yield* listening(createServer(Connections.SERVER_OPTIONS))
    const connections = yield* Connections.make(server, { linger: Duration.hours(1) })
    connections.serve(yield* makeAnswers(reply, makeRecord(), {}, writeTimeout))
    yield* Effect.addFinalizer(() => Effect.sync(() => server.closeAllConnections()))
    return {
      server,
      /** Begins to stop the server. Returns the fiber that waits until it has stopped. */
      stopping: connections.drain(Duration.hours(1)).pipe(
        Effect.fork,
        Effect.tap(Effect.repeat(afterTurn, { while: () => server.listening }))
      )
    }
  })

/** Fails if the stream goes on, which would be for ever. */
const inTime = Effect.timeout("5 seconds")

describe("A stopping server", () => {
  it.scopedLive("ends a stream at once whose request it had received, but not answered", () =>
    Effect.gen(function*() {
      const [asked, stopping] = [yield* Deferred.make<void>(), yield* Deferred.make<void>()]
      const { server, stopping: stop } = yield* serving(() =>
        Deferred.succeed(asked, undefined).pipe(Effect.zipRight(Deferred.await(stopping)), Effect.as(stream))
      )
      const received = yield* Effect.fork(sent(server, REQUEST))
      yield* Deferred.await(asked)
      const stopped = yield* stop
      yield* Deferred.succeed(stopping, undefined)
      const response = yield* inTime(Fiber.join(received))
      expect(response).toMatch(/^HTTP\/1\.1 200 OK\r\n[\s\S]*\r\n0\r\n\r\n$/)
      yield* inTime(Fiber.join(stopped))
    }))

  it.scopedLive("ends a stream at once that a client requests on a connection it has kept alive", () =>
    Effect.gen(function*() {
      const { server, stopping } = yield* serving(({ url }) =>
        Effect.succeed(url === "/" ? stream : { status: 204, headers: {}, body: undefined })
      )
      const answered = yield* Deferred.make<void>()
      let received = ""
      const socket = connect(portOf(server), "127.0.0.1", () => socket.write(`GET /nothing ${HEAD}\r\n`))
      const closed = Effect.async<void>((resume) => void socket.on("close", () => resume(Effect.void)))
      socket.on("data", (piece) => {
        received += piece.toString()
        if (received.endsWith("\r\n\r\n")) Deferred.unsafeDone(answered, Effect.void)
      })
      yield* Deferred.await(answered)
      const stopped = yield* stopping
      received = ""
      socket.write(REQUEST)
      yield* inTime(closed)
      expect(received).toMatch(/^HTTP\/1\.1 200 OK\r\n[\s\S]*\r\n0\r\n\r\n$/)
      expect(connectionHeaders(received)).toEqual(["close"])
      yield* inTime(Fiber.join(stopped))
    }))
})

describe("A stopping server whose time is over", () => {
  it.scopedLive("waits neither for connections that arrive meanwhile nor for their requests", () =>
    Effect.gen(function*() {
      const server = yield* listening(createServer(Connections.SERVER_OPTIONS))
      const connections = yield* Connections.make(server, { linger: Duration.hours(1) })
      connections.serve(yield* makeAnswers(() => Effect.never, makeRecord()))
      yield* Effect.addFinalizer(() => Effect.sync(() => server.closeAllConnections()))
      const open = () => {
        const client = connect(portOf(server), "127.0.0.1", () => client.write(REQUEST))
        client.on("error", () => {})
      }
      server.on("connection", () => server.listening && open())
      open()
      yield* inTime(Effect.disconnect(connections.drain(Duration.millis(1))))
    }))
})

/** A socket of a client with this address. */
const connected = (server: Server, localAddress: string) =>
  Effect.async<Socket>((resume) => {
    const socket = connect({ port: portOf(server), host: "127.0.0.1", localAddress }, () =>
      resume(Effect.succeed(socket)))
  })

/** Takes all the time of a turn of the event loop. */
const fillTurn = () => {
  const end = performance.now() + TURN_MILLIS
  while (performance.now() < end);
}

describe("A request behind another one", () => {
  it.scopedLive("takes any time, also if its client has read the response before slowly", () =>
    Effect.gen(function*() {
      const [isBegun, isLater] = [yield* Deferred.make<void>(), yield* Deferred.make<void>()]
      const slow = Deferred.succeed(isBegun, undefined).pipe(Effect.zipRight(Deferred.await(isLater)), Effect.as(fine))
      const { server } = yield* serving(({ url }) => url === "/large" ? Effect.sync(large) : slow, "200 millis")
      const received = yield* Effect.fork(sent(server, `GET /large ${HEAD}\r\n${LAST}`))
      yield* Deferred.await(isBegun)
      // The time limit for other clients passes.
      yield* untilCutOff(server)
      yield* Deferred.succeed(isLater, undefined)
      expect((yield* Fiber.join(received)).slice(-8)).toBe("\r\n\r\nfine")
    }))
})

describe("A failure of Node's parser", () => {
  it.each([undefined, "ECONNRESET", "EPIPE", "NOT_HPE_"])(
    "gets no response if the connection failed: %s",
    (code) => expect(Connections.replyToRejected(code)).toBeUndefined()
  )
})

describe("An address with many requests", () => {
  it.scopedLive("does not delay those of others until all of its own have begun", () =>
    Effect.gen(function*() {
      const begun: Array<string> = []
      const { server } = yield* serving(({ url = "" }) =>
        Effect.sync(() => {
          begun.push(url)
          fillTurn()
          return { status: 204, headers: {}, body: undefined }
        })
      )
      const busy = yield* Effect.replicateEffect(connected(server, "127.0.0.1"), 10)
      const other = yield* connected(server, "127.0.0.2")
      for (const socket of busy) socket.write(`GET /busy ${HEAD}Connection: close\r\n\r\n`)
      other.write(`GET /other ${HEAD}Connection: close\r\n\r\n`)
      yield* Effect.forEach([...busy, other], (socket) =>
        Effect.async<void>((resume) => void socket.resume().on("close", () => resume(Effect.void))))
      expect(begun).toContain("/other")
      expect(begun.at(-1)).toBe("/busy")
    }))
})
