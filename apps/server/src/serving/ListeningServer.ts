import { HttpServer, type HttpServerError } from "@effect/platform"
import { NodeHttpServer } from "@effect/platform-node"
import { Context, Duration, Effect, Layer, type Scope } from "effect"
import { createServer, type RequestListener, type Server, type ServerResponse } from "node:http"
import type { Socket } from "node:net"

/** How often connections are checked during shutdown. */
const SWEEP_MILLIS = 50

/** The listening Node server. */
export class NodeServer extends Context.Tag("@community-messaging/server/NodeServer")<NodeServer, Server>() {}

/** The graceful shutdown of the server. */
export class GracefulShutdown extends Context.Tag("@community-messaging/server/GracefulShutdown")<GracefulShutdown, {
  /**
   * Stops accepting connections, and returns when all requests in progress are answered. After the configured time, it
   * closes the remaining connections. Event streams end immediately.
   */
  readonly drain: Effect.Effect<void>
}>() {}

/**
 * Tracks responses that are being streamed. These are event streams; all other responses are sent at once. There is one
 * entry per connection, because a set that changes with each request keeps old requests in memory.
 */
const streams = (server: Server) => {
  const responses = new Map<Socket, ServerResponse | undefined>()
  server.on("connection", (socket: Socket) => {
    responses.set(socket, undefined)
    socket.once("close", () => responses.delete(socket))
  })
  server.on("request", ({ socket }, response) => {
    // The response to a pipelined request waits for the one before it.
    if (responses.get(socket)?.writableEnded !== false) responses.set(socket, response)
  })
  return () =>
    Array.from(responses.values()).filter((response) => response !== undefined).filter(
      ({ headersSent, writableEnded }) => headersSent && !writableEnded
    )
}

/** Uses Node timers instead of fibers, because this runs while fibers are interrupted. */
const drain = (
  server: Server,
  endless: () => ReadonlyArray<ServerResponse>,
  longest: Duration.Duration
): Effect.Effect<void> =>
  Effect.async<void>((resume) => {
    if (!server.listening) return resume(Effect.void)
    const sweep = setInterval(() => {
      // Their clients reconnect to the next server.
      endless().forEach((response) => response.destroy())
      // A keep-alive connection becomes idle after its last response. The server would wait for it.
      server.closeIdleConnections()
    }, SWEEP_MILLIS)
    const ended = () => {
      clearInterval(sweep)
      clearTimeout(cutOff)
      resume(Effect.void)
    }
    const cutOff = setTimeout(() => {
      server.closeAllConnections()
      // The remaining connections have no request in progress.
      ended()
    }, Duration.toMillis(longest))
    server.close(ended)
  })

/** A Node HTTP server that listens at this address, and its graceful shutdown. */
export const layer = (options: {
  readonly host: string
  readonly port: number
  readonly shutdownTimeout: Duration.Duration
}): Layer.Layer<NodeServer | HttpServer.HttpServer | GracefulShutdown, HttpServerError.ServeError> =>
  Layer.scopedContext(Effect.gen(function*() {
    const { host, port, shutdownTimeout } = options
    const server = createServer()
    const listening = yield* NodeHttpServer.make(() => server, { host, port })
    const shutdown = { drain: drain(server, streams(server), shutdownTimeout) }
    yield* Effect.addFinalizer(() => shutdown.drain)
    return Context.make(HttpServer.HttpServer, listening).pipe(
      Context.add(NodeServer, server),
      Context.add(GracefulShutdown, shutdown)
    )
  }))

/** Serves requests with the listener until the layer is closed. */
export const serve = <E, R>(
  listener: Effect.Effect<RequestListener, E, R>
): Layer.Layer<never, E, Exclude<R, Scope.Scope> | NodeServer> =>
  Layer.scopedDiscard(Effect.gen(function*() {
    const answer = yield* listener
    const server = yield* NodeServer
    server.on("request", answer)
    yield* Effect.addFinalizer(() => Effect.sync(() => server.off("request", answer)))
  }))
