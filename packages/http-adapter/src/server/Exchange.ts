import * as LoggedCause from "@community-messaging/domain/shared-kernel/LoggedCause"
import * as SideBySide from "@community-messaging/domain/shared-kernel/SideBySide"
import { BYTES_PER_TURN } from "@community-messaging/event-loop/ByteTurns"
import { OnePerTurn } from "@community-messaging/event-loop/OnePerTurn"
import {
  type Clock,
  Effect,
  type Fiber,
  FiberId,
  FiberRef,
  HashMap,
  Metric,
  MetricBoundaries,
  MetricLabel,
  Stream
} from "effect"
import type { IncomingMessage, ServerResponse } from "node:http"
import type { Principal } from "./Authentication.ts"
import type { Drain } from "./bodies/BodyDrain.ts"
import * as ContinueExpectation from "./bodies/ContinueExpectation.ts"
import { closeWithConnection } from "./connections/WaitingResponses.ts"
import type { CrossOrigin } from "./CrossOrigin.ts"
import * as Reply from "./replies/Reply.ts"

/** What all exchanges of a listener have in common. */
export interface Shared {
  readonly fork: (effect: Effect.Effect<void>) => Fiber.RuntimeFiber<void>
  readonly clock: Clock.Clock
  /** Whether the log has a line for each request. */
  readonly isLogged: boolean
  /** How long a client may accept no byte of a response before its connection is closed, in milliseconds. */
  readonly writeTimeoutMillis: number
  /** Undefined if pages of other origins may read no response. */
  readonly crossOrigin: CrossOrigin | undefined
  readonly drain: Drain
}

/** The name of a route in the log and in metrics: its pattern. */
export interface RouteLabel {
  readonly name: string
  /** Whether its requests are neither logged nor counted. */
  readonly isQuiet: boolean
}

/** Most requests take about a millisecond; `REQUEST_TIMEOUT` is ten seconds by default. */
const DURATIONS = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10]

/** Named and labelled as in OpenTelemetry's semantic conventions for HTTP servers, so that its dashboards fit. */
const requestDuration = Metric.histogram(
  "http_server_request_duration_seconds",
  MetricBoundaries.fromIterable(DURATIONS),
  "Time from the headers of a request to its response, or to the first byte of an event stream."
)

const KNOWN_METHODS: ReadonlySet<string> = new Set(["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"])

/** By method, route and status. There are few of each, so that none needs to be removed. */
const labelsOfRequests = new Map<string, ReadonlyArray<MetricLabel.MetricLabel>>()

const labelsOf = (method: string, route: string, status: number): ReadonlyArray<MetricLabel.MetricLabel> => {
  const name = KNOWN_METHODS.has(method) ? method : "_OTHER"
  const key = `${name} ${status} ${route}`
  const known = labelsOfRequests.get(key)
  if (known !== undefined) return known
  const labels = [
    MetricLabel.make("http_request_method", name),
    MetricLabel.make("http_route", route),
    MetricLabel.make("http_response_status_code", String(status))
  ]
  labelsOfRequests.set(key, labels)
  return labels
}

/**
 * Counts a request with its duration. Labels have few values: patterns of routes, never paths. An effect per update would take
 * longer than the update.
 */
export const countRequest = (method: string, route: string, status: number, seconds: number): void =>
  requestDuration.unsafeUpdate(seconds, labelsOf(method, route, status))

/** Adds annotations to all later log lines of the request. A request has its own fiber, so they need no reset. */
export const annotate = (annotations: Readonly<Record<string, unknown>>): Effect.Effect<void> =>
  FiberRef.update(FiberRef.currentLogAnnotations, (known) => {
    let all = known
    for (const name of Object.keys(annotations)) all = HashMap.set(all, name, annotations[name])
    return all
  })

/** Returns the owner's id for the log. It is not secret. */
const annotationOf = (principal: Principal): Readonly<Record<string, string>> => {
  const id = principal.slice(principal.indexOf(":") + 1)
  if (principal.startsWith("user:")) return { user_id: id }
  return principal.startsWith("admin:") ? { admin_key_id: id } : { webhook_id: id }
}

/** Why a request was refused: the code of the error, and the path of its first violation. Never a value. */
const reasonOf = (error: Reply.ApiError | undefined): Readonly<Record<string, string>> => {
  if (error === undefined) return {}
  const path = "errors" in error ? error.errors[0]?.path : undefined
  return path === undefined ? { error_code: error.code } : { error_code: error.code, error_path: path }
}

/**
 * Whether the connection ends because the request asks for another protocol, which is ignored. After such a request,
 * Node does not report a parse error in the next one, so the client would get no response. Some clients ask for HTTP/2
 * (`h2c`) with every request and reuse the connection: it stays open.
 */
const endsByUpgrade = ({ headers: { upgrade } }: IncomingMessage): boolean =>
  upgrade !== undefined && upgrade.toLowerCase() !== "h2c"

/**
 * Whether the rest of a body may be long. Node would read it after the reply, as fast as it arrives, to keep the connection
 * for the next request.
 */
const hasLongRest = ({ complete, headers }: IncomingMessage): boolean =>
  !complete &&
  (headers["transfer-encoding"] !== undefined || Number(headers["content-length"] ?? 0) > BYTES_PER_TURN)

/**
 * Returns names and values of all headers alternately, as `writeHead` accepts them. A new object per reply, with
 * varying keys, would take longer than writing the headers. Responses are not cacheable by default, and browsers do not
 * guess another type of a body.
 */
const rawHeaders = ({ body, headers }: Reply.Reply): Array<string> => {
  const raw: Array<string> = []
  if (headers["cache-control"] === undefined) raw.push("cache-control", "no-store")
  if (body !== undefined) {
    raw.push("content-type", body.contentType, "x-content-type-options", "nosniff")
    if (!Reply.isInPieces(body.content)) raw.push("content-length", String(Buffer.byteLength(body.content)))
  }
  for (const name of Object.keys(headers)) raw.push(name, headers[name] ?? "")
  return raw
}

/** How long a client may accept no byte of a stream that has ended, so that one that does not read does not delay a stop. */
const STREAM_END_MILLIS = 1000

/** The streams that wait for the interruption of their fibers. */
const streamEnds = new OnePerTurn()

/** A request with its id and its route. It gets exactly one reply and one log line. */
export class Exchange {
  readonly requestId: string
  readonly source: IncomingMessage
  readonly target: ServerResponse
  readonly #route: RouteLabel
  readonly #started: bigint
  readonly #shared: Shared
  #fiber: Fiber.RuntimeFiber<void> | undefined
  #principal: Principal | undefined
  #isClosed = false
  #isStreaming = false
  /** Whether a stream ends when it begins, because the server stops. */
  #endsStream = false

  constructor(
    requestId: string,
    route: RouteLabel,
    started: bigint,
    source: IncomingMessage,
    target: ServerResponse,
    shared: Shared
  ) {
    this.requestId = requestId
    this.#route = route
    this.#started = started
    this.source = source
    this.target = target
    this.#shared = shared
    if (target.socket === null) closeWithConnection(source, target)
    // Node does not close a response of HTTP/2 that is reset without an error while a piece of it waits to be sent.
    if ("stream" in source) source.once("aborted", () => target.destroy())
  }

  /** Takes over the fiber that works on the request. It is interrupted when the client disconnects. */
  own(fiber: Fiber.RuntimeFiber<void>): void {
    this.#fiber = fiber
    // An application may call the listener after the client has disconnected.
    if (this.isClosed) return this.#interrupt()
    this.target.on("close", () => {
      this.#isClosed = true
      if (!this.target.writableEnded) this.#interrupt()
      this.#fiber = undefined
    })
  }

  /**
   * Whether the client has disconnected, or has the whole response. A response of HTTP/2, or one that waits behind another one,
   * only signals it.
   */
  get isClosed(): boolean {
    return this.#isClosed || this.target.closed || this.source.socket.destroyed
  }

  /** Sets the owner of the credentials. */
  identify(principal: Principal): void {
    this.#principal = principal
  }

  /** The annotations that name the owner of the credentials in the log; none if it is unknown. */
  get principalAnnotations(): Readonly<Record<string, string>> {
    return this.#principal === undefined ? {} : annotationOf(this.#principal)
  }

  /** Sends this reply, unless another one was sent before. A reply that is sent at once and not logged needs no fiber. */
  send(reply: Reply.Reply): void {
    const rest = this.finish(reply)
    if (rest !== Effect.void) this.#shared.fork(rest)
  }

  /** Sends this reply unless another one was sent before, and ends the work on the request. */
  abandon(reply: Reply.Reply): void {
    this.send(reply)
    this.#interrupt()
  }

  /** Ends the response if it is a stream, or when it becomes one. A client that does not read on is disconnected. */
  endStream(): void {
    this.#endsStream = true
    if (!this.#isStreaming) return
    this.#interrupt()
    this.target.end()
    if (this.target.writableLength > 0) this.#limitWriting(STREAM_END_MILLIS)
  }

  /** Ending a stream takes much more work than ending a request: many at once would block the event loop. */
  #interrupt(): void {
    const fiber = this.#fiber
    if (this.#isStreaming) streamEnds.add(() => fiber?.unsafeInterruptAsFork(FiberId.none))
    else fiber?.unsafeInterruptAsFork(FiberId.none)
  }

  /** Counts and logs the request with the pattern of its route, without any data of it (API gaps, Credentials). */
  record(status: number, error?: Reply.ApiError): Effect.Effect<void> {
    if (this.#route.isQuiet) return Effect.void
    const { clock, isLogged } = this.#shared
    const micros = Math.trunc(Number(clock.unsafeCurrentTimeNanos() - this.#started) / 1000)
    const method = this.source.method ?? ""
    countRequest(method, this.#route.name, status, micros / 1_000_000)
    // Do not build a line that the log level drops.
    if (!isLogged) return Effect.void
    return Effect.zipRight(
      annotate({
        request_id: this.requestId,
        ...this.principalAnnotations,
        route: this.#route.name,
        status,
        // Bytes that are not a request have no method.
        ...(method !== "" && { method, duration_ms: micros / 1000 }),
        ...reasonOf(error)
      }),
      Effect.logInfo("Request")
    )
  }

  /** Sends the reply, unless one was sent before. Returns the remaining work: to log the request, and to write a stream. */
  finish(reply: Reply.Reply): Effect.Effect<void> {
    if (this.target.headersSent) return Effect.void
    const { status } = reply
    const content = reply.body?.content
    const isLast = this.#isLast(status)
    this.#sendHead(reply, isLast)
    if (content !== undefined && Reply.isInPieces(content)) {
      const written = this.#sendPieces(content)
      return Effect.zipRight(this.record(status, reply.error), written)
    }
    this.#sendWhole(content, isLast || reply.headers["connection"] === "close")
    return this.record(status, reply.error)
  }

  /**
   * Whether the connection ends after the reply: the request asks for another protocol, or the rest of its body is long, too
   * large or too slow.
   */
  #isLast(status: number): boolean {
    const { source } = this
    return status === 413 || status === 408 || endsByUpgrade(source) ||
      (hasLongRest(source) && !ContinueExpectation.isOpen(source))
  }

  #sendHead(reply: Reply.Reply, isLast: boolean): void {
    const headers = rawHeaders(reply)
    headers.push("x-request-id", this.requestId)
    const { crossOrigin } = this.#shared
    if (crossOrigin !== undefined) headers.push(...crossOrigin(this.source, reply.headers))
    if (isLast && reply.headers["connection"] === undefined) headers.push("connection", "close")
    this.target.writeHead(reply.status, headers)
  }

  /** Sends the head alone. Returns the effect that writes the body, except to a `HEAD` request, or if the server stops. */
  #sendPieces(body: Reply.Pieces): Effect.Effect<void> {
    this.target.flushHeaders()
    return this.#endsStream || this.source.method === "HEAD"
      ? Effect.sync(() => this.target.end())
      : Effect.interruptible(this.#stream(body))
  }

  #sendWhole(content: string | Uint8Array | undefined, isLast: boolean): void {
    const { source, target } = this
    if ((isLast || !target.shouldKeepAlive) && !source.complete && !ContinueExpectation.isOpen(source)) {
      // The rest of an unread body is read after the reply. A write without a body sends no headers.
      target.flushHeaders()
      target.write(content ?? "")
      this.#shared.drain(source, () => target.end())
    } else {
      target.end(content)
    }
    if (target.writableLength > 0) this.#limitWriting()
  }

  /** Closes the connection if the client accepts no byte for too long. The end of the response removes the limit. */
  #limitWriting(longestMillis = this.#shared.writeTimeoutMillis): void {
    this.target.socket?.setTimeout(longestMillis)
  }

  #write(piece: string): Effect.Effect<void> {
    return Effect.async<void>((resume) => {
      const { target } = this
      // The stream may end while a piece of it is made, and a write after the end would throw an error that nothing catches.
      if (target.writableEnded || target.write(piece)) return resume(Effect.void)
      this.#limitWriting()
      const proceed = () => {
        target.socket?.setTimeout(0)
        resume(Effect.void)
      }
      target.once("drain", proceed)
      return Effect.sync(() => target.off("drain", proceed))
    })
  }

  /**
   * Writes the chunks of a body as fast as the client reads them. If the stream fails, or the client may not read on, the
   * connection is closed without an end of the body.
   */
  #stream({ chunks, revoked }: Reply.Pieces): Effect.Effect<void> {
    const { target } = this
    this.#isStreaming = true
    return SideBySide.firstOf(
      Effect.zipRight(Stream.runForEach(chunks, (piece) => this.#write(piece)), Effect.sync(() => target.end())),
      Effect.zipRight(revoked, Effect.sync(() => target.destroy()))
    ).pipe(
      Effect.catchAllCause((cause) =>
        // The storage was closed after the stream was ended, which interrupts its work, or lets it fail.
        target.writableEnded ? Effect.void : Effect.zipRight(
          Effect.annotateLogs(Effect.logWarning("Stream failed"), {
            ...this.principalAnnotations,
            cause: LoggedCause.describe(cause)
          }),
          Effect.sync(() => target.destroy())
        )
      )
    )
  }
}
