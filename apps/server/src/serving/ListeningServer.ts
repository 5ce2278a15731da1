import { HttpServer, type HttpServerError } from "@effect/platform"
import { NodeHttpServer } from "@effect/platform-node"
import { Context, Duration, Effect, Layer, type Scope } from "effect"
import { createServer, type RequestListener, type Server, type ServerResponse } from "node:http"

/** Connections are looked after this often while the server ends. */
const SWEEP_MILLIS = 50

/** The server of Node's that listens. */
export class NodeServer extends Context.Tag("@community-messaging/server/NodeServer")<NodeServer, Server>() {}

/** How the server ends in good order. */
export class GracefulShutdown extends Context.Tag("@community-messaging/server/GracefulShutdown")<GracefulShutdown, {
  /**
   * Accepts no more connections and returns when the requests in progress are answered, at the latest after the
   * configured time: what is still open then is cut off. Streams of events end at once.
   */
  readonly drain: Effect.Effect<void>
}>() {}

/** The responses that have begun and go on: streams of events, since all others are sent in one piece. */
const streams = (server: Server) => {
  const open = new Set<ServerResponse>()
  server.on("request", (_, response) => {
    open.add(response)
    response.on("close", () => open.delete(response))
  })
  return () => Array.from(open).filter(({ headersSent, writableEnded }) => headersSent && !writableEnded)
}

/** Timers of Node's, not fibers: this runs where fibers are being interrupted. */
const drain = (
  server: Server,
  endless: () => ReadonlyArray<ServerResponse>,
  longest: Duration.Duration
): Effect.Effect<void> =>
  Effect.async<void>((resume) => {
    if (!server.listening) return resume(Effect.void)
    const sweep = setInterval(() => {
      // Their clients connect again, to the next server.
      endless().forEach((response) => response.destroy())
      // A connection that is kept alive becomes idle after its last answer, and would be waited for.
      server.closeIdleConnections()
    }, SWEEP_MILLIS)
    const ended = () => {
      clearInterval(sweep)
      clearTimeout(cutOff)
      resume(Effect.void)
    }
    const cutOff = setTimeout(() => {
      server.closeAllConnections()
      // Whatever is left is no request in progress, and not worth waiting for.
      ended()
    }, Duration.toMillis(longest))
    server.close(ended)
  })

/** An HTTP server of Node's that listens there, and its graceful end. */
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

/** Lets the listener answer the requests to the server, for as long as the layer lives. */
export const serve = <E, R>(
  listener: Effect.Effect<RequestListener, E, R>
): Layer.Layer<never, E, Exclude<R, Scope.Scope> | NodeServer> =>
  Layer.scopedDiscard(Effect.gen(function*() {
    const answer = yield* listener
    const server = yield* NodeServer
    server.on("request", answer)
    yield* Effect.addFinalizer(() => Effect.sync(() => server.off("request", answer)))
  }))
