import { Duration, Effect, Runtime } from "effect"
import type { Server, ServerOptions } from "node:http"
import { Server as NetServer, type Socket } from "node:net"
import {
  BadRequest,
  ExpectationFailed,
  HeadersTooLarge,
  MethodNotAllowed,
  PayloadTooLarge,
  RequestTimeout
} from "../../wire/ApiError.ts"
import * as ContinueExpectation from "../bodies/ContinueExpectation.ts"
import { keyOf } from "../rate-limits/ClientAddress.ts"
import * as Reply from "../replies/Reply.ts"
import { afterPoll, type Answers, OpenConnections } from "./Connection.ts"
import { ConnectionLimiter, type ConnectionLimits, DEFAULT_LIMITS } from "./ConnectionLimiter.ts"

/** The options of a Node server whose connections are managed. */
export const SERVER_OPTIONS = {
  // The adapter checks them itself, so that the answer has the form of all errors.
  requireHostHeader: false,
  joinDuplicateHeaders: true,
  /** All in milliseconds. The last one is how often the others are checked. */
  keepAliveTimeout: 5_000,
  headersTimeout: 15_000,
  requestTimeout: 300_000,
  connectionsCheckingInterval: 5_000
} as const satisfies ServerOptions

/** How long a stopping server waits for requests on idle connections. The responses then close their connections. */
const LINGER = Duration.seconds(1)

/** The minimum time between two log lines about refused connections. */
const MIN_LOG_INTERVAL = Duration.toMillis("1 minute")

const expectationFailed = Reply.ofError(new ExpectationFailed(), Reply.CLOSE)

const noProxy = Reply.ofError(new MethodNotAllowed({ message: "This server is not a proxy." }), {
  ...Reply.CLOSE,
  allow: ""
})

const malformed = Reply.ofError(new BadRequest(), Reply.CLOSE)

/** The replies to bytes that Node's parser rejects, by its error code. Other codes of it begin with `HPE_`: llhttp's. */
const REJECTED = new Map<string, Reply.Reply>([
  ["HPE_HEADER_OVERFLOW", Reply.ofError(new HeadersTooLarge(), Reply.CLOSE)],
  [
    "HPE_CHUNK_EXTENSIONS_OVERFLOW",
    Reply.ofError(new PayloadTooLarge({ message: "The chunk extensions of the body are too large." }), Reply.CLOSE)
  ],
  ["ERR_HTTP_REQUEST_TIMEOUT", Reply.ofError(new RequestTimeout(), Reply.CLOSE)]
])

/** Returns the reply to a rejected request; undefined if the connection failed, so that the client cannot read a reply. */
export const replyToRejected = (code = ""): Reply.Reply | undefined =>
  REJECTED.get(code) ?? (code.startsWith("HPE_") ? malformed : undefined)

/** The connections of a Node server. */
export interface Connections {
  /** Begins to answer requests. Earlier requests wait until then. */
  readonly serve: (answers: Answers) => void
  /**
   * Stops accepting connections, and returns when all requests are answered and all connections are closed. Every response
   * has `Connection: close`; idle connections are closed after `linger`. After `longest`, the remaining connections are
   * destroyed.
   */
  readonly drain: (longest: Duration.Duration) => Effect.Effect<void>
}

/** How connections are managed. */
export interface Options extends Partial<ConnectionLimits> {
  /** How long a stopping server waits for requests on idle connections: one second by default. */
  readonly linger?: Duration.Duration
}

/**
 * Calls the function when no connection waits to be accepted, or when `performance.now()` reaches `latest`. Node accepts one
 * connection in each turn of the event loop, and closing the listening socket resets the others.
 */
const afterBacklog = (server: Server, latest: number, call: () => void): void => {
  let hasAccepted = false
  const accept = () => {
    hasAccepted = true
  }
  server.once("connection", accept)
  afterPoll(() => {
    server.off("connection", accept)
    if (hasAccepted && performance.now() < latest) afterBacklog(server, latest, call)
    else call()
  })
}

/** Uses Node timers instead of fibers, because this runs while fibers are interrupted. */
const drain = (
  server: Server,
  connections: OpenConnections,
  lingerMillis: number,
  longestMillis: number
): Effect.Effect<void> =>
  Effect.async<void>((resume) => {
    if (!server.listening) return resume(Effect.void)
    const began = performance.now()
    afterBacklog(server, began + Math.min(lingerMillis, longestMillis), () => {
      connections.isStopping = true
      for (const connection of connections.all) connection.stop()
      const linger = setTimeout(() => {
        for (const connection of connections.all) connection.endWhenIdle()
      }, lingerMillis)
      const cutOff = setTimeout(() => {
        for (const { socket } of connections.all) socket.destroy()
      }, began + longestMillis - performance.now())
      // The method of the HTTP server would reset idle connections whose next request has arrived unread.
      NetServer.prototype.close.call(server, () => {
        clearTimeout(linger)
        clearTimeout(cutOff)
        resume(Effect.void)
      })
    })
  })

/** Logs at most one line a minute, so that many refused connections do not fill the log. */
const makeLogRefusal = Effect.gen(function*() {
  const clock = yield* Effect.clock
  const fork = Runtime.runFork(yield* Effect.runtime())
  let count = 0
  let lastLogged = Number.NEGATIVE_INFINITY
  return (reason: string) => {
    count += 1
    const now = Number(clock.unsafeCurrentTimeNanos() / 1_000_000n)
    if (now - lastLogged < MIN_LOG_INTERVAL) return
    fork(Effect.annotateLogs(Effect.logWarning("Connections refused"), { reason, count }))
    count = 0
    lastLogged = now
  }
})

/** Answers what Node's parser rejects, and requests to a proxy. */
const answerRejected = (server: Server, connections: OpenConnections): void => {
  server.on("clientError", ({ code }: NodeJS.ErrnoException, stream) => {
    // Bytes after a request with `Connection: close`.
    if (code === "HPE_CLOSED_CONNECTION") return
    const connection = connections.find(stream)
    const reply = replyToRejected(code)
    // No client waits for a response on a failed connection, or on an unused one.
    if (connection === undefined || reply === undefined || connection.socket.bytesRead === 0) stream.destroy()
    else connection.fail(reply)
  })
  server.on("connect", (_source, stream) => {
    // Node has removed its own listener.
    stream.on("error", () => stream.destroy())
    const connection = connections.find(stream)
    if (connection === undefined) stream.destroy()
    else connection.fail(noProxy)
  })
}

/** Manages the connections of a Node server that is made with `SERVER_OPTIONS`. */
export const make = (server: Server, options: Options = {}): Effect.Effect<Connections> =>
  Effect.map(makeLogRefusal, (logRefusal) => {
    const limiter = new ConnectionLimiter({ ...DEFAULT_LIMITS, ...options })
    const connections = new OpenConnections()

    // Node would end a connection whose client has finished sending before its requests are answered.
    Object.assign(server, { httpAllowHalfOpen: true })
    // No maximum number of headers: Node would drop further ones silently, such as credentials. Their size is limited.
    server.maxHeadersCount = 0
    // Before the listener of the HTTP server itself.
    server.prependListener("connection", (socket: Socket) => {
      const address = keyOf(socket.remoteAddress ?? "")
      const counted = limiter.open(address)
      if (counted === undefined || counted.refusal !== undefined) logRefusal("too many connections")
      if (counted === undefined) {
        socket.destroy()
        return
      }
      connections.add(socket, address, counted.refusal)
      socket.once("close", counted.close)
    })
    // For example, no file descriptor is left. The server continues. A server that cannot listen has refused no connection.
    server.on("error", (error: NodeJS.ErrnoException) => {
      if (server.listening) logRefusal(error.code ?? error.name)
    })
    server.on("request", connections.receive.bind(connections))
    server.on("checkContinue", (source, target) => {
      ContinueExpectation.remember(source, target)
      connections.receive(source, target)
    })
    server.on("checkExpectation", (source, target) => connections.receive(source, target, expectationFailed))
    answerRejected(server, connections)

    return {
      serve: (answers) => connections.serve(answers),
      drain: (longest) =>
        drain(server, connections, Duration.toMillis(options.linger ?? LINGER), Duration.toMillis(longest))
    }
  })
