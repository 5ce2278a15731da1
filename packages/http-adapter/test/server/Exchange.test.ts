import { BYTES_PER_TURN } from "@community-messaging/event-loop/ByteTurns"
import * as Reply from "@community-messaging/http-adapter/server/replies/Reply"
import { ServiceUnavailable } from "@community-messaging/http-adapter/wire/ApiError"
import { describe, expect, it } from "@effect/vitest"
import { Deferred, Effect, Exit, Stream } from "effect"
import { createServer } from "node:http"
import { connect as connectByHttp2, createServer as createServerOfHttp2 } from "node:http2"
import { connect } from "node:net"
import {
  afterTurn,
  connectionHeaders,
  exchange,
  fine,
  HEAD,
  LAST,
  listening,
  makeAnswers,
  makeRecord,
  portOf,
  sent,
  statuses
} from "./Exchanged.ts"

describe("The connection of a request", () => {
  it.scopedLive("stays open for the next one", () =>
    Effect.gen(function*() {
      const { received } = yield* exchange(fine, `GET / ${HEAD}\r\n${LAST}`)
      expect(statuses(yield* received)).toEqual([200, 200])
    }))

  it.scoped.each([5, BYTES_PER_TURN])(
    "stays open if the rest of its body is short, and not read by the reply: %i bytes",
    (length) =>
      Effect.gen(function*() {
        const head = `POST / ${HEAD}Content-Length: ${length}\r\n\r\n`
        const { received } = yield* exchange(fine, `${head}${"x".repeat(length)}${LAST}`)
        expect(statuses(yield* received)).toEqual([200, 200])
      })
  )

  it.scoped.each([408, 413])(
    "is closed after %i, because the body is too large or too slow to read",
    (status) =>
      Effect.gen(function*() {
        const { received } = yield* exchange(Reply.text(status, "text/plain", "no", {}), `GET / ${HEAD}\r\n${LAST}`)
        const response = yield* received
        expect(statuses(response)).toEqual([status])
        expect(connectionHeaders(response)).toEqual(["close"])
      })
  )

  it.scopedLive("has one `Connection: close`, also if the reply has it itself", () =>
    Effect.gen(function*() {
      const reply = Reply.text(413, "text/plain", "no", { connection: "close" })
      const { received } = yield* exchange(reply, `GET / ${HEAD}\r\n`)
      expect(connectionHeaders(yield* received)).toEqual(["close"])
    }))

  it.scoped.each([`Content-Length: ${BYTES_PER_TURN + 1}`, "Transfer-Encoding: chunked"])(
    "is closed if much of its body may follow, which is drained first: %s",
    (header) =>
      Effect.gen(function*() {
        const { drained, received } = yield* exchange(fine, `POST /long ${HEAD}${header}\r\n\r\n`)
        const response = yield* received
        expect(response).toMatch(/^HTTP\/1\.1 200 OK\r\n[\s\S]*\r\n\r\nfine$/)
        expect(connectionHeaders(response)).toEqual(["close"])
        expect(drained).toEqual(["/long"])
      })
  )

  it.scoped.each(
    [
      ["the client", fine, "Connection: close\r\n"],
      ["the reply", Reply.text(200, "text/plain", "fine", { connection: "close" }), ""]
    ] as const
  )("is drained, too, if %s closes it before a short body has arrived", ([, reply, header]) =>
    Effect.gen(function*() {
      const { drained, received } = yield* exchange(reply, `POST /short ${HEAD}${header}Content-Length: 5\r\n\r\n`)
      expect(yield* received).toMatch(/\r\n\r\nfine$/)
      expect(drained).toEqual(["/short"])
    }))

  it.scopedLive("is not drained if the whole body was received", () =>
    Effect.gen(function*() {
      const { drained, received } = yield* exchange(() => Effect.as(afterTurn, fine), LAST)
      yield* received
      expect(drained).toEqual([])
    }))
})

describe("Abandoned work", () => {
  it.scopedLive("is interrupted, and the request gets the given reply, once, also if the work cannot be stopped", () =>
    Effect.gen(function*() {
      const interrupted = yield* Deferred.make<void>()
      const endless = Effect.zipRight(Deferred.succeed(interrupted, undefined), Effect.never)
      const work = Effect.onInterrupt(Effect.never, () => endless)
      const { begun, log, received } = yield* exchange(() => work, LAST)
      const abandoned = Effect.map(
        Deferred.await(begun),
        (answering) => answering.abandon(Reply.ofError(new ServiceUnavailable(), {}))
      )
      expect(statuses(yield* Effect.zipLeft(received, abandoned, { concurrent: true }))).toEqual([503])
      yield* Deferred.await(interrupted)
      expect(log).toMatchObject([{ message: "Request", status: 503, error_code: "SERVICE_UNAVAILABLE" }])
    }))
})

describe("A request behind another one of its connection", () => {
  it.scopedLive("is interrupted if the client disconnects, although its response waits", () =>
    Effect.gen(function*() {
      const [begun, interrupted] = [yield* Deferred.make<void>(), yield* Deferred.make<void>()]
      const second = Effect.onInterrupt(
        Effect.zipRight(Deferred.succeed(begun, undefined), Effect.never),
        () => Deferred.succeed(interrupted, undefined)
      )
      const { answer } = yield* makeAnswers(({ url }) => url === "/last" ? second : Effect.never, makeRecord())
      const server = yield* listening(createServer(answer))
      const client = connect(portOf(server), "127.0.0.1")
      client.write(`GET / ${HEAD}\r\n${LAST}`)
      yield* Deferred.await(begun)
      client.destroy()
      yield* Effect.timeout(Deferred.await(interrupted), "5 seconds")
    }))

  it.scopedLive("is interrupted at once if its listener is called after the client has disconnected", () =>
    Effect.gen(function*() {
      const [arrived, interrupted] = [yield* Deferred.make<void>(), yield* Deferred.make<void>()]
      const second = Effect.onInterrupt(Effect.never, () => Deferred.succeed(interrupted, undefined))
      const { answer } = yield* makeAnswers(() => second, makeRecord())
      const server = yield* listening(createServer((source, target) => {
        if (source.url !== "/last") return
        source.socket.once("close", () => answer(source, target))
        Deferred.unsafeDone(arrived, Effect.void)
      }))
      const client = connect(portOf(server), "127.0.0.1")
      client.write(`GET / ${HEAD}\r\n${LAST}`)
      yield* Deferred.await(arrived)
      client.destroy()
      yield* Effect.timeout(Deferred.await(interrupted), "5 seconds")
    }))
})

describe("A request of HTTP/2", () => {
  it.scopedLive("is answered, if a server that embeds the API passes it on: it has no host", () =>
    Effect.gen(function*() {
      const { answer } = yield* makeAnswers(fine, makeRecord())
      const server = yield* listening(createServer((source, target) => {
        answer(Object.assign(source, { httpVersion: "2.0", headers: {}, stream: {} }), target)
      }))
      expect(statuses(yield* sent(server, LAST))).toEqual([200])
    }))

  it.scopedLive("ends if the client resets it without an error while a piece of its stream waits to be sent", () =>
    Effect.gen(function*() {
      const ended = yield* Deferred.make<void>()
      const chunks = Stream.concat(Stream.make("x".repeat(1024 * 1024)), Stream.never).pipe(
        Stream.ensuring(Deferred.succeed(ended, undefined))
      )
      const content = { chunks, revoked: Effect.never }
      const { answer } = yield* makeAnswers(
        { status: 200, headers: {}, body: { contentType: "text/plain", content } },
        makeRecord()
      )
      const server = yield* listening(
        createServerOfHttp2((source, target) => void Reflect.apply(answer, undefined, [source, target]))
      )
      const session = connectByHttp2(`http://127.0.0.1:${portOf(server)}`)
      yield* Effect.addFinalizer(() => Effect.sync(() => session.destroy()))
      const stream = session.request({ ":path": "/" })
      stream.once("data", () => stream.destroy())
      yield* Effect.timeout(Deferred.await(ended), "5 seconds")
    }))

  it.scopedLive("is recorded as closed if the client disconnects: its response does not say that it is closed", () =>
    Effect.gen(function*() {
      const record = makeRecord()
      const begun = yield* Deferred.make<void>()
      const { answer } = yield* makeAnswers(
        () => Effect.zipRight(Deferred.succeed(begun, undefined), Effect.never),
        record
      )
      const recorded = yield* Deferred.make<void>()
      const server = yield* listening(createServer((source, target) => {
        answer(source, Object.defineProperty(target, "closed", { value: undefined }))
        target.once("close", () => setImmediate(() => Deferred.unsafeDone(recorded, Exit.void)))
      }))
      const client = connect(portOf(server), "127.0.0.1")
      client.write(LAST)
      yield* Deferred.await(begun)
      client.destroy()
      yield* Deferred.await(recorded)
      expect(record.log).toMatchObject([{ message: "Request", status: 499 }])
    }))
})
