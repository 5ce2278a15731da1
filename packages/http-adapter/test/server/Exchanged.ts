import type { Answering } from "@community-messaging/http-adapter/server/connections/Connection"
import * as Listener from "@community-messaging/http-adapter/server/Listener"
import type { Page } from "@community-messaging/http-adapter/server/Page"
import * as Reply from "@community-messaging/http-adapter/server/replies/Reply"
import { Deferred, Duration, Effect, FiberId, Logger } from "effect"
import { createServer } from "node:http"
import { connect, type Server, type Socket } from "node:net"

export const HEAD = "HTTP/1.1\r\nHost: x\r\n"
export const LAST = `GET /last ${HEAD}Connection: close\r\n\r\n`

export const fine = Reply.text(200, "text/plain", "fine", {})

/** A record of a server's log lines, drained bodies, begun requests and the errors of responses. */
export const makeRecord = () => ({
  log: new Array<Readonly<Record<string, unknown>>>(),
  drained: new Array<string>(),
  errors: new Array<Error>(),
  begun: Deferred.unsafeMake<Answering>(FiberId.none)
})

export const portOf = (server: Server): number => {
  const address = server.address()
  return typeof address === "object" && address !== null ? address.port : 0
}

export const listening = <S extends Server>(server: S) =>
  Effect.acquireRelease(
    Effect.async<S>((resume) => void server.listen(0, "127.0.0.1", () => resume(Effect.succeed(server)))),
    () => Effect.sync(() => server.close())
  )

/** The server's output for these bytes until it closes the connection. */
export const sent = (server: Server, bytes: string) =>
  Effect.async<string>((resume) => {
    let received = ""
    const socket = connect(portOf(server), "127.0.0.1", () => socket.write(bytes))
    socket.on("data", (piece) => {
      received += piece.toString()
    })
    // A reset counts as closed.
    socket.on("error", () => {})
    socket.on("close", () => resume(Effect.succeed(received)))
  })

/** A response of more bytes than are buffered for a client that does not read. */
export const large = () => Reply.text(200, "text/plain", "x".repeat(8 * 1024 * 1024), {})

/** Requests `/large`, a large response, and does not read it. Returns when the server has closed that connection. */
export const untilCutOff = (server: Server) =>
  Effect.async<void>((resume) => {
    const client = connect(portOf(server), "127.0.0.1").pause()
    client.on("error", () => {})
    client.write(`GET /large ${HEAD}\r\n`)
    server.once("connection", (socket: Socket) =>
      socket.once("close", () => {
        client.destroy()
        resume(Effect.void)
      }))
  })

/** The answers of a server that has one page alone, with this reply. */
export const makeAnswers = (
  reply: Page["reply"],
  record: ReturnType<typeof makeRecord>,
  page: Partial<Page> = {},
  writeTimeout: Duration.DurationInput = Duration.infinity
) => {
  const logger = Logger.map(Logger.structuredLogger, ({ annotations, message }) => {
    record.log.push({ message, ...annotations })
  })
  return Listener.make(
    () => ({ _tag: "Found", route: { _tag: "Page", path: "/", ...page, reply }, path: {} }),
    () => ({ reply: Effect.dieMessage("There is no route."), end: () => {} }),
    ({ url = "" }, whenDone) => {
      record.drained.push(url)
      setImmediate(whenDone)
    },
    Duration.decode(writeTimeout)
  ).pipe(Effect.provide(Logger.replace(Logger.defaultLogger, logger)))
}

/** The output of a server with this reply for these bytes. */
export const exchange = (reply: Page["reply"], bytes: string) =>
  Effect.gen(function*() {
    const record = makeRecord()
    const { answer } = yield* makeAnswers(reply, record)
    const server = yield* listening(createServer((source, target) => {
      target.on("error", (error) => record.errors.push(error))
      Deferred.unsafeDone(record.begun, Effect.succeed(answer(source, target)))
    }))
    return { ...record, received: sent(server, bytes) }
  })

/** Waits for the next turn of the event loop, in which earlier writes and reads have been delivered. */
export const afterTurn = Effect.async<void>((resume) => void setImmediate(() => resume(Effect.void)))

export const statuses = (received: string) =>
  Array.from(received.matchAll(/HTTP\/1\.1 (\d{3})/g), ([, status]) => Number(status))

export const connectionHeaders = (received: string) =>
  Array.from(received.matchAll(/^connection: (.*)\r$/gim), ([, value]) => value)
