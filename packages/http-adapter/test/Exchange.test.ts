import { StorageError } from "@community-messaging/domain/shared-kernel/StorageError"
import type { Answering } from "@community-messaging/http-adapter/server/Connection"
import * as ErrorMapping from "@community-messaging/http-adapter/server/ErrorMapping"
import * as Listener from "@community-messaging/http-adapter/server/Listener"
import type { Page } from "@community-messaging/http-adapter/server/Page"
import * as Reply from "@community-messaging/http-adapter/server/Reply"
import { BadRequest } from "@community-messaging/http-adapter/wire/ApiError"
import { describe, expect, it } from "@effect/vitest"
import { Deferred, Duration, Effect, FiberId, Logger, Stream } from "effect"
import { createServer } from "node:http"
import { connect, createServer as createSocketServer, type Server } from "node:net"

const HEAD = "HTTP/1.1\r\nHost: x\r\n"
const LAST = `GET /last ${HEAD}Connection: close\r\n\r\n`

const fine = Reply.text(200, "text/plain", "fine", {})

/** What is logged, drained and begun while a server works, and the errors of responses. */
const makeRecord = () => ({
  log: new Array<Readonly<Record<string, unknown>>>(),
  drained: new Array<string>(),
  errors: new Array<Error>(),
  begun: Deferred.unsafeMake<Answering>(FiberId.none)
})

const portOf = (server: Server): number => {
  const address = server.address()
  return typeof address === "object" && address !== null ? address.port : 0
}

const listening = <S extends Server>(server: S) =>
  Effect.acquireRelease(
    Effect.async<S>((resume) => void server.listen(0, "127.0.0.1", () => resume(Effect.succeed(server)))),
    () => Effect.sync(() => server.close())
  )

/** All that the server sends for these bytes until it closes the connection. */
const sent = (server: Server, bytes: string) =>
  Effect.async<string>((resume) => {
    let received = ""
    const socket = connect(portOf(server), "127.0.0.1", () => socket.write(bytes))
    socket.on("data", (piece) => {
      received += piece.toString()
    })
    // A reset is a way to be closed.
    socket.on("error", () => {})
    socket.on("close", () => resume(Effect.succeed(received)))
  })

const makeAnswers = (reply: Page["reply"], record: ReturnType<typeof makeRecord>) => {
  const logger = Logger.map(Logger.structuredLogger, ({ annotations, message }) => {
    record.log.push({ message, ...annotations })
  })
  return Listener.make(
    () => ({ _tag: "Found", route: { _tag: "Page", path: "/", reply }, path: {} }),
    () => ({ reply: Effect.dieMessage("There is no route."), end: () => {} }),
    ({ url = "" }, whenDone) => {
      record.drained.push(url)
      setImmediate(whenDone)
    },
    Duration.infinity
  ).pipe(Effect.provide(Logger.replace(Logger.defaultLogger, logger)))
}

/** What a server with this reply sends for these bytes. */
const exchange = (reply: Page["reply"], bytes: string) =>
  Effect.gen(function*() {
    const record = makeRecord()
    const { answer } = yield* makeAnswers(reply, record)
    const server = yield* listening(createServer((source, target) => {
      target.on("error", (error) => record.errors.push(error))
      Deferred.unsafeDone(record.begun, Effect.succeed(answer(source, target)))
    }))
    return { ...record, received: sent(server, bytes) }
  })

/** What was written or received before is on its way. */
const afterTurn = Effect.async<void>((resume) => void setImmediate(() => resume(Effect.void)))

const statuses = (received: string) =>
  Array.from(received.matchAll(/HTTP\/1\.1 (\d{3})/g), ([, status]) => Number(status))

const connectionHeaders = (received: string) =>
  Array.from(received.matchAll(/^connection: (.*)\r$/gim), ([, value]) => value)

describe("The connection of a request", () => {
  it.scopedLive("stays open for the next one", () =>
    Effect.gen(function*() {
      const { received } = yield* exchange(fine, `GET / ${HEAD}\r\n${LAST}`)
      expect(statuses(yield* received)).toEqual([200, 200])
    }))

  it.scopedLive("stays open if the rest of its body is short, and not read by the reply", () =>
    Effect.gen(function*() {
      const { received } = yield* exchange(fine, `POST / ${HEAD}Content-Length: 5\r\n\r\nhello${LAST}`)
      expect(statuses(yield* received)).toEqual([200, 200])
    }))

  it.scoped.each([408, 413])(
    "is closed after %i, because the body is not worth reading",
    (status) =>
      Effect.gen(function*() {
        const { received } = yield* exchange(Reply.text(status, "text/plain", "no", {}), `GET / ${HEAD}\r\n${LAST}`)
        const response = yield* received
        expect(statuses(response)).toEqual([status])
        expect(connectionHeaders(response)).toEqual(["close"])
      })
  )

  it.scopedLive("is told to be closed once, though the reply says so itself", () =>
    Effect.gen(function*() {
      const reply = Reply.text(413, "text/plain", "no", { connection: "close" })
      const { received } = yield* exchange(reply, `GET / ${HEAD}\r\n`)
      expect(connectionHeaders(yield* received)).toEqual(["close"])
    }))

  it.scoped.each(["Content-Length: 100000", "Transfer-Encoding: chunked"])(
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
  )("is drained too where %s closes it before a short body is there", ([, reply, header]) =>
    Effect.gen(function*() {
      const { drained, received } = yield* exchange(reply, `POST /short ${HEAD}${header}Content-Length: 5\r\n\r\n`)
      expect(yield* received).toMatch(/\r\n\r\nfine$/)
      expect(drained).toEqual(["/short"])
    }))

  it.scopedLive("is not drained where the whole body was received", () =>
    Effect.gen(function*() {
      const { drained, received } = yield* exchange(() => Effect.as(afterTurn, fine), LAST)
      yield* received
      expect(drained).toEqual([])
    }))
})

describe("A response in pieces", () => {
  const inPieces = (
    chunks: Stream.Stream<string, StorageError>,
    revoked: Effect.Effect<void, StorageError> = Effect.never
  ) => ({
    status: 200,
    headers: {},
    body: { contentType: "text/plain", content: { chunks, revoked } }
  })

  it.scopedLive("is sent as it is made, to its end", () =>
    Effect.gen(function*() {
      const { log, received } = yield* exchange(inPieces(Stream.make("one", "two")), LAST)
      const response = yield* received
      expect(response).toMatch(/\r\n\r\n3\r\none\r\n3\r\ntwo\r\n0\r\n\r\n$/)
      expect(response).not.toMatch(/^content-length:/im)
      expect(log).toMatchObject([{ message: "Request", status: 200 }])
    }))

  it.scopedLive("is not made for HEAD", () =>
    Effect.gen(function*() {
      const { log, received } = yield* exchange(
        inPieces(Stream.die("It is made.")),
        `HEAD / ${HEAD}Connection: close\r\n\r\n`
      )
      expect(yield* received).toMatch(/^HTTP\/1\.1 200 OK\r\n[\s\S]*\r\n\r\n$/)
      expect(log).toMatchObject([{ message: "Request", status: 200 }])
    }))

  it.scopedLive("breaks off where it fails, so that the client knows, and the log says why", () =>
    Effect.gen(function*() {
      const failing = Stream.concat(
        Stream.make("one"),
        Stream.fromEffect(Effect.zipRight(afterTurn, new StorageError({ operation: "reading" })))
      )
      const { log, received } = yield* exchange(inPieces(failing), LAST)
      expect(yield* received).toMatch(/\r\n\r\n3\r\none\r\n$/)
      expect(log).toMatchObject([{ message: "Request" }, { message: "Stream failed" }])
      expect(log[1]?.["cause"]).toMatch(/^StorageError in reading\n/)
    }))

  it.scopedLive("breaks off where the client may not read on", () =>
    Effect.gen(function*() {
      const written = yield* Deferred.make<void>()
      const endless = Stream.concat(
        Stream.make("one"),
        Stream.fromEffect(
          Effect.zipRight(Effect.zipRight(afterTurn, Deferred.succeed(written, undefined)), Effect.never)
        )
      )
      const { log, received } = yield* exchange(inPieces(endless, Deferred.await(written)), LAST)
      expect(yield* received).toMatch(/\r\n\r\n3\r\none\r\n$/)
      expect(log).toMatchObject([{ message: "Request" }])
    }))

  it.scopedLive("is ended where the server stops, and other responses are not", () =>
    Effect.gen(function*() {
      const stream = yield* exchange(inPieces(Stream.concat(Stream.make("one"), Stream.never)), LAST)
      const isStopping = yield* Deferred.make<void>()
      const slow = yield* exchange(() => Effect.as(Deferred.await(isStopping), fine), LAST)
      const stop = ({ begun }: { readonly begun: Deferred.Deferred<Answering> }) =>
        Effect.map(Deferred.await(begun), (answering) => answering.endStream())
      const [streamed, answered] = yield* Effect.all([
        Effect.zipLeft(stream.received, stop(stream), { concurrent: true }),
        Effect.zipLeft(slow.received, Effect.zipRight(stop(slow), Deferred.succeed(isStopping, undefined)), {
          concurrent: true
        })
      ], { concurrency: 2 })
      expect(streamed).toMatch(/\r\n0\r\n\r\n$/)
      expect(answered).toMatch(/\r\n\r\nfine$/)
    }))
})

describe("A response in pieces that is ended while one is made", () => {
  it.scopedLive("writes nothing after its end, which would end the process", () =>
    Effect.gen(function*() {
      const made = new Array<number>()
      let streaming: Answering | undefined
      const endsAt = (index: number) =>
        Effect.sync(() => {
          made.push(index)
          if (index === 2) streaming?.endStream()
          return String(index)
        })
      const chunks = Stream.mapEffect(Stream.range(0, 9), (index) => Effect.zipRight(afterTurn, endsAt(index)))
      const { begun, errors, received } = yield* exchange(
        { status: 200, headers: {}, body: { contentType: "text/plain", content: { chunks, revoked: Effect.never } } },
        LAST
      )
      const note = Effect.map(Deferred.await(begun), (answering) => {
        streaming = answering
      })
      const response = yield* Effect.zipLeft(received, note, { concurrent: true })
      expect(response).toMatch(/\r\n0\r\n\r\n$/)
      expect(made).toContain(2)
      expect(errors).toEqual([])
    }))
})

describe("Work that is given up", () => {
  it.scopedLive("is interrupted, and answered by the reply instead, once", () =>
    Effect.gen(function*() {
      const interrupted = yield* Deferred.make<void>()
      const work = Effect.onInterrupt(Effect.never, () => Deferred.succeed(interrupted, undefined))
      const { begun, log, received } = yield* exchange(() => work, LAST)
      const abandoned = Effect.map(
        Deferred.await(begun),
        (answering) => answering.abandon(ErrorMapping.unavailable({}))
      )
      expect(statuses(yield* Effect.zipLeft(received, abandoned, { concurrent: true }))).toEqual([503])
      yield* Deferred.await(interrupted)
      expect(log).toMatchObject([{ message: "Request", status: 503, error_code: "SERVICE_UNAVAILABLE" }])
    }))
})

describe("Bytes that are no request", () => {
  it.scopedLive("are answered with a whole response, and are in the log", () =>
    Effect.gen(function*() {
      const record = makeRecord()
      const { answerUnparsed } = yield* makeAnswers(fine, record)
      const reply = Reply.ofError(new BadRequest(), { connection: "close" })
      const server = yield* listening(createSocketServer((socket) => answerUnparsed(socket, reply)))
      const received = yield* sent(server, "nonsense")
      const [head = "", body = ""] = received.split("\r\n\r\n")
      const [first, ...headers] = head.split("\r\n")
      expect(first).toBe("HTTP/1.1 400 Bad Request")
      expect(headers.map((header) => header.replace(/: .*/, "")).toSorted()).toEqual([
        "cache-control",
        "connection",
        "content-length",
        "content-type",
        "date",
        "x-request-id"
      ])
      expect(JSON.parse(body)).toMatchObject({ code: "BAD_REQUEST" })
      expect(record.log).toMatchObject([
        { message: "Request", route: "unmatched", status: 400, error_code: "BAD_REQUEST" }
      ])
    }))
})
