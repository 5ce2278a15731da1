import * as Connections from "@community-messaging/http-adapter/server/connections/Connections"
import type { Page } from "@community-messaging/http-adapter/server/Page"
import type { Reply } from "@community-messaging/http-adapter/server/replies/Reply"
import { describe, expect, it } from "@effect/vitest"
import { Deferred, Duration, Effect, Fiber, Stream } from "effect"
import { createServer } from "node:http"
import { connect } from "node:net"
import { afterTurn, connectionHeaders, HEAD, listening, makeAnswers, makeRecord, portOf, sent } from "../Exchanged.ts"

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
const serving = (reply: Page["reply"]) =>
  Effect.gen(function*() {
    const server = yield* listening(createServer(Connections.SERVER_OPTIONS))
    const connections = yield* Connections.make(server, { linger: Duration.hours(1) })
    connections.serve(yield* makeAnswers(reply, makeRecord()))
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
