import { StorageError } from "@community-messaging/domain/shared-kernel/StorageError"
import type { Answering } from "@community-messaging/http-adapter/server/connections/Connection"
import type { Page } from "@community-messaging/http-adapter/server/Page"
import { describe, expect, it } from "@effect/vitest"
import { Deferred, Effect, Fiber, Stream } from "effect"
import { createServer, type ServerResponse } from "node:http"
import { connect } from "node:net"
import {
  afterTurn,
  exchange,
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
} from "./Exchanged.ts"

const MORE_THAN_SOCKETS_BUFFER = 64 * 1024 * 1024

describe("A response in pieces", () => {
  const inPieces = (
    chunks: Stream.Stream<string, StorageError>,
    revoked: Effect.Effect<void, StorageError> = Effect.never
  ) => ({
    status: 200,
    headers: {},
    body: { contentType: "text/plain", content: { chunks, revoked } }
  })

  it.scopedLive("is sent piece by piece, to its end", () =>
    Effect.gen(function*() {
      const { log, received } = yield* exchange(inPieces(Stream.make("one", "two")), LAST)
      const response = yield* received
      // Node 26 sends pieces of one turn in one chunk.
      expect(response).toMatch(/\r\n\r\n(?:3\r\none\r\n3\r\ntwo|6\r\nonetwo)\r\n0\r\n\r\n$/)
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

  it.scopedLive("breaks off at a failure, so that the client notices, and the log has the reason", () =>
    Effect.gen(function*() {
      const failing = Stream.concat(
        Stream.make("one"),
        Stream.fromEffect(Effect.zipRight(afterTurn, new StorageError({ operation: "reading" })))
      )
      const { log, received } = yield* exchange(inPieces(failing), LAST)
      expect(yield* received).toMatch(/\r\n\r\n3\r\none\r\n$/)
      expect(log).toMatchObject([{ message: "Request" }, { message: "Stream failed" }])
      expect(log[1]?.["cause"]).toBe("StorageError in reading")
    }))

  it.scopedLive("breaks off when the client may no longer read", () =>
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

  it.scopedLive("ends when the server stops, unlike other responses", () =>
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

  it.scopedLive("is cut off when the server stops, if its client does not read", () =>
    Effect.gen(function*() {
      const { answer } = yield* makeAnswers(
        inPieces(Stream.concat(Stream.make("x".repeat(MORE_THAN_SOCKETS_BUFFER)), Stream.never)),
        makeRecord()
      )
      const begun = yield* Deferred.make<{ readonly target: ServerResponse; readonly answering: Answering }>()
      const server = yield* listening(createServer((source, target) => {
        Deferred.unsafeDone(begun, Effect.succeed({ target, answering: answer(source, target) }))
      }))
      const client = yield* Effect.acquireRelease(
        Effect.sync(() => connect(portOf(server), "127.0.0.1").pause()),
        (socket) => Effect.sync(() => socket.destroy())
      )
      client.write(LAST)
      const { answering, target } = yield* Deferred.await(begun)
      yield* Effect.repeat(afterTurn, { until: () => target.writableLength > 0 })
      answering.endStream()
      yield* Effect.async<void>((resume) => void target.once("close", () => resume(Effect.void)))
    }))

  it.scopedLive("continues after a pause of any length, also to a client that was slow before", () =>
    Effect.gen(function*() {
      const [isPausing, isLater] = [yield* Deferred.make<void>(), yield* Deferred.make<void>()]
      const later = Deferred.succeed(isPausing, undefined).pipe(
        Effect.zipRight(Deferred.await(isLater)),
        Effect.as("later")
      )
      const pausing = inPieces(Stream.concat(Stream.make("x".repeat(1_000_000)), Stream.fromEffect(later)))
      const reply: Page["reply"] = ({ url }) => Effect.succeed(url === "/large" ? large() : pausing)
      const { answer } = yield* makeAnswers(reply, makeRecord(), {}, "200 millis")
      const server = yield* listening(createServer((source, target) => void answer(source, target)))
      const received = yield* Effect.fork(sent(server, LAST))
      yield* Deferred.await(isPausing)
      // The time limit for other clients passes.
      yield* untilCutOff(server)
      yield* Deferred.succeed(isLater, undefined)
      expect((yield* Fiber.join(received)).slice(-12)).toBe("later\r\n0\r\n\r\n")
    }))

  it.scoped.each<readonly [how: string, Effect.Effect<never, StorageError>]>([
    ["interrupts it from inside", Effect.interrupt],
    ["fails", new StorageError({ operation: "reading" })]
  ])("ends without a line in the log if its storage %s after the server stops", ([, closed]) =>
    Effect.gen(function*() {
      const isEnded = yield* Deferred.make<void>()
      const ending = Stream.concat(
        Stream.make("one"),
        Stream.fromEffect(Effect.zipRight(Deferred.await(isEnded), Effect.uninterruptible(closed)))
      )
      const { begun, log, received } = yield* exchange(inPieces(ending), LAST)
      const stop = Effect.flatMap(Deferred.await(begun), (answering) => {
        answering.endStream()
        return Deferred.succeed(isEnded, undefined)
      })
      expect(yield* Effect.zipLeft(received, stop, { concurrent: true })).toMatch(/\r\n0\r\n\r\n$/)
      expect(log).toMatchObject([{ message: "Request", status: 200 }])
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
