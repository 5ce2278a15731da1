import * as NodeSocket from "@effect/platform-node/NodeSocket"
import * as Socket from "@effect/platform/Socket"
import * as SocketServer from "@effect/platform/SocketServer"
import { Deferred, Duration, Effect, Exit, FiberSet, Redacted, Scope } from "effect"
import { createHash } from "node:crypto"
import { once } from "node:events"
import { connect as connectTls, createServer, type Server, type TLSSocket } from "node:tls"
import * as LogLimit from "../telemetry/LogLimit.ts"

/*
 * Connections between servers: TLS with a pre-shared key, which both sides derive from the secret (RFC 4279). A client
 * without the secret fails in the handshake and reaches nothing behind it. Each connection has its own keys (RFC 8442),
 * so that a secret that leaks later does not decrypt recorded traffic.
 */

/** The maximum time of a handshake. */
const HANDSHAKE_TIMEOUT = Duration.seconds(5)

/** The maximum number of connections. Each other server has two: one of the cluster, and one for searches. */
const MAX_CONNECTIONS = 4_000

/** The minimum time between two log lines about refused connections. */
const REFUSALS_LOGGED_EVERY = Duration.minutes(1)

const IDENTITY = "community-messaging"

/** Node supports pre-shared keys up to TLS 1.2. */
const TLS = { minVersion: "TLSv1.2", maxVersion: "TLSv1.2", ciphers: "ECDHE-PSK-CHACHA20-POLY1305" } as const

const keyOf = (secret: Redacted.Redacted) =>
  createHash("sha256").update(`${IDENTITY}:cluster:`).update(Redacted.value(secret)).digest()

const failure = (reason: "Open" | "Unknown", cause: unknown) => new SocketServer.SocketServerError({ reason, cause })

/** Listens until the scope closes. */
const listening = (host: string, port: number, secret: Redacted.Redacted) =>
  Effect.acquireRelease(
    Effect.async<Server, SocketServer.SocketServerError>((resume) => {
      const psk = keyOf(secret)
      const server = createServer({
        ...TLS,
        noDelay: true,
        handshakeTimeout: Duration.toMillis(HANDSHAKE_TIMEOUT),
        pskCallback: (_socket, identity) => identity === IDENTITY ? psk : null
      })
      server.maxConnections = MAX_CONNECTIONS
      server.once("error", (cause) => resume(Effect.fail(failure("Open", cause))))
      server.listen(port, host, () => resume(Effect.succeed(server)))
    }),
    (server) => Effect.sync(() => server.close())
  )

/** Logs refused connections, because two servers may have different secrets by mistake. */
const refusalLog = Effect.gen(function*() {
  const run = yield* FiberSet.makeRuntime()
  const sometimes = yield* LogLimit.make(REFUSALS_LOGGED_EVERY)
  return (cause: Error) => {
    run(sometimes(
      Effect.logWarning("A connection to the port of the cluster was refused: is CLUSTER_SECRET the same everywhere?")
        .pipe(Effect.annotateLogs({ reason: "code" in cause ? String(cause.code) : cause.name }))
    ))
  }
})

/** A server of sockets for clients with the secret. It listens until the scope closes; port 0 is any free one. */
export const serve = (
  options: { readonly host: string; readonly port: number; readonly secret: Redacted.Redacted }
): Effect.Effect<
  SocketServer.SocketServer["Type"] & { readonly port: number },
  SocketServer.SocketServerError,
  Scope.Scope
> =>
  Effect.gen(function*() {
    const server = yield* listening(options.host, options.port, options.secret)
    const address = server.address()
    if (address === null || typeof address === "string") return yield* Effect.dieMessage("A TCP server has a port")
    server.on("tlsClientError", yield* refusalLog)
    const failed = yield* Deferred.make<never, SocketServer.SocketServerError>()
    server.on("error", (cause) => Deferred.unsafeDone(failed, Exit.fail(failure("Unknown", cause))))

    return {
      port: address.port,
      address: { _tag: "TcpAddress", hostname: address.address, port: address.port },
      run: (handler) =>
        Effect.scoped(Effect.gen(function*() {
          const connections = yield* Effect.acquireRelease(Scope.make(), (scope) => Scope.close(scope, Exit.void))
          const fork = yield* Scope.extend(
            FiberSet.makeRuntime<Effect.Effect.Context<ReturnType<typeof handler>>>(),
            connections
          )
          const accept = (socket: TLSSocket) => {
            // An error while no fiber reads the socket would end the process.
            socket.on("error", () => {})
            const opened = Effect.acquireRelease(
              Effect.succeed(socket),
              () => Effect.sync(() => socket.destroySoon())
            )
            fork(
              Effect.flatMap(NodeSocket.fromDuplex(opened), handler).pipe(
                Effect.catchAllCause((cause) => Effect.logDebug("A connection of the cluster ended", cause)),
                Effect.provideService(NodeSocket.NetSocket, socket)
              )
            )
          }
          yield* Effect.acquireRelease(
            Effect.sync(() => server.on("secureConnection", accept)),
            () => Effect.sync(() => server.off("secureConnection", accept))
          )
          return yield* Deferred.await(failed)
        }))
    }
  })

const opened = (host: string, port: number, psk: Buffer) =>
  Effect.acquireRelease(
    Effect.sync(() => {
      const socket = connectTls({
        ...TLS,
        host,
        port,
        pskCallback: () => ({ psk, identity: IDENTITY }),
        // A pre-shared key has no certificates.
        checkServerIdentity: () => undefined
      })
      // An error while no fiber reads the socket, such as a reset after its end, would end the process.
      socket.on("error", () => {})
      return socket.setNoDelay(true)
    }),
    (socket) => Effect.sync(() => socket.destroy())
  ).pipe(
    Effect.tap((socket) =>
      Effect.tryPromise({
        try: (signal) => once(socket, "secureConnect", { signal }),
        catch: (cause) => new Socket.SocketGenericError({ reason: "Open", cause })
      })
    )
  )

/** A socket to another server with the secret. It connects when it is run. */
export const connect = (host: string, port: number, secret: Redacted.Redacted) =>
  NodeSocket.fromDuplex(opened(host, port, keyOf(secret)), { openTimeout: Duration.seconds(1) })
