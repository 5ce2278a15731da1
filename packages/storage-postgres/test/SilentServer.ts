import { Deferred, Effect } from "effect"
import { createServer, type Server, type Socket } from "node:net"

/** A server that answers with these bytes, by default with none, and an effect that waits for its first connection. */
export const answering = (answer: (received: Buffer) => string | Buffer = () => "") =>
  Effect.gen(function*() {
    const connected = yield* Deferred.make<Socket>()
    const server = yield* Effect.acquireRelease(
      Effect.async<Server>((resume) => {
        const made = createServer((socket) => {
          socket.on("error", () => {})
          socket.on("data", (received) => socket.write(answer(received)))
          Deferred.unsafeDone(connected, Effect.succeed(socket))
        })
        made.listen(0, "127.0.0.1", () => resume(Effect.succeed(made)))
      }),
      (made) => Effect.sync(() => made.close())
    )
    const address = server.address()
    const port = typeof address === "object" && address !== null ? address.port : 0
    return { url: `postgres://user:password@127.0.0.1:${port}/database`, connected: Deferred.await(connected) }
  })

/** Completes when the other side has closed the connection. */
export const closed = (socket: Socket) =>
  Effect.async<void>((resume) => {
    if (socket.closed) return resume(Effect.void)
    socket.once("close", () => resume(Effect.void))
  })
