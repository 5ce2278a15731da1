import type { Answers } from "@community-messaging/http-adapter/server/connections/Connection"
import { DEFAULT_LIMITS } from "@community-messaging/http-adapter/server/connections/ConnectionLimiter"
import * as Connections from "@community-messaging/http-adapter/server/connections/Connections"
import { Context, Duration, Effect, Layer, type Scope } from "effect"
import { createServer } from "node:http"
import { Health } from "./Health.ts"
import { type Address, listen, type ListenError } from "./Listening.ts"
import * as OpenFiles from "./OpenFiles.ts"

/** The listening Node server. */
export class ListeningServer extends Context.Tag("@community-messaging/server/ListeningServer")<ListeningServer, {
  readonly address: Address
  readonly connections: Connections.Connections
  /**
   * Stops accepting connections, and returns when all requests in progress are answered. After the configured time, it
   * closes the remaining connections. Event streams end immediately. From now on, the server is not ready.
   */
  readonly drain: Effect.Effect<void>
}>() {}

/** How the server listens. */
export interface Options extends Connections.Options {
  readonly host: string
  readonly port: number
  readonly shutdownTimeout: Duration.Duration
  /** How long a connection may be idle between two requests; that of `Connections.SERVER_OPTIONS` by default. */
  readonly keepAliveTimeout?: Duration.Duration
}

/** A Node HTTP server that listens at this address, and its graceful shutdown. */
export const layer = (
  options: Options
): Layer.Layer<ListeningServer, ListenError, Health> =>
  Layer.scoped(
    ListeningServer,
    Effect.gen(function*() {
      const { host, keepAliveTimeout, port, shutdownTimeout } = options
      const server = createServer({
        ...Connections.SERVER_OPTIONS,
        ...(keepAliveTimeout && { keepAliveTimeout: Duration.toMillis(keepAliveTimeout) })
      })
      const maxConnections = yield* OpenFiles.atMost(options.maxConnections ?? DEFAULT_LIMITS.maxConnections)
      const connections = yield* Connections.make(server, { ...options, maxConnections })
      const address = yield* listen(server, { host, port }, "on HOST and PORT")
      const { stopping } = yield* Health
      const drain = Effect.zipRight(stopping, connections.drain(shutdownTimeout))
      yield* Effect.addFinalizer(() => drain)
      return { address, connections, drain }
    })
  )

/**
 * Answers requests, the earlier ones first. At the end of the layer, drains the server before the services of the answers
 * end.
 */
export const serve = <E, R>(
  answers: Effect.Effect<Answers, E, R>
): Layer.Layer<never, E, Exclude<R, Scope.Scope> | ListeningServer> =>
  Layer.scopedDiscard(Effect.flatMap(
    Effect.all([answers, ListeningServer]),
    ([made, { connections, drain }]) => Effect.acquireRelease(Effect.sync(() => connections.serve(made)), () => drain)
  ))
