import { Cause, Clock, Context, Effect, FiberId, FiberRef, HashMap, LogLevel, Random, Runtime, Stream } from "effect"
import type { IncomingMessage, RequestListener, ServerResponse } from "node:http"
import { MethodNotAllowed, NotFound } from "../wire/ApiError.ts"
import * as Body from "./Body.ts"
import type { Deadline } from "./Deadline.ts"
import * as ErrorMapping from "./ErrorMapping.ts"
import * as LoggedCause from "./LoggedCause.ts"
import type { Pipeline } from "./Pipeline.ts"
import * as Reply from "./Reply.ts"
import type { Match } from "./Routes.ts"

/** An identifier that a client may give its request: anything else is not taken over (API gaps, Wire conventions). */
const VALID_REQUEST_ID = /^[A-Za-z0-9._-]{1,128}$/

/** The log value for unknown paths, which may contain anything. */
const UNMATCHED = "unmatched"

/** The status in the log of a request whose client did not wait for the answer. */
const CLIENT_CLOSED_REQUEST = 499

const SPAN = { kind: "server", captureStackTrace: false } as const

/** Returns the id of a request: its `X-Request-Id` if that is valid, else a new id, unique across processes. */
export const requestIds = Effect.map(
  Effect.all([Random.nextIntBetween(0, 2 ** 32), Random.nextIntBetween(0, 2 ** 32)]),
  (words) => {
    const process = words.map((word) => word.toString(36).padStart(7, "0")).join("")
    let count = 0
    return (presented: string | undefined): string => {
      if (presented !== undefined && VALID_REQUEST_ID.test(presented)) return presented
      count += 1
      return `${process}-${count.toString(36)}`
    }
  }
)

/** The path and the query of a request's target, in origin or absolute form (RFC 9112, 3.2). */
const splitTarget = (url: string): { readonly path: string; readonly query: string } => {
  const target = url.startsWith("/") ? url : url.replace(/^https?:\/\/[^/?]*/i, "")
  const queryAt = target.indexOf("?")
  return queryAt === -1
    ? { path: target, query: "" }
    : { path: target.slice(0, queryAt), query: target.slice(queryAt + 1) }
}

const routeName = (match: Match): string => {
  switch (match._tag) {
    case "Found":
      return match.route.path
    case "OtherMethod":
      return match.path
    case "Unknown":
      return UNMATCHED
  }
}

/** The reply to a request for which there is no route. */
const notFound = (method: string, match: Exclude<Match, { readonly _tag: "Found" }>): Reply.Reply => {
  if (match._tag === "Unknown") return Reply.ofError(new NotFound(), Reply.NO_HEADERS)
  const headers = { allow: match.allow.join(", ") }
  return method === "OPTIONS"
    ? { status: 204, headers, body: undefined }
    : Reply.ofError(new MethodNotAllowed(), headers)
}

/**
 * Writes the chunks of a body as fast as the client reads them. If the stream fails, the connection is closed without an
 * end of the body.
 */
const writePieces = (target: ServerResponse, pieces: Reply.Pieces): Effect.Effect<void> =>
  Stream.runForEach(pieces, (piece) =>
    Effect.async<void>((resume) => {
      if (target.write(piece)) return resume(Effect.void)
      const proceed = () => resume(Effect.void)
      target.once("drain", proceed)
      return Effect.sync(() => target.off("drain", proceed))
    })).pipe(
      Effect.matchCauseEffect({
        onSuccess: () => Effect.sync(() => target.end()),
        onFailure: (cause) =>
          Effect.zipRight(
            Effect.annotateLogs(Effect.logWarning("Stream failed"), { cause: LoggedCause.describe(cause) }),
            Effect.sync(() => target.destroy())
          )
      })
    )

/** Adds annotations to all later log lines of the request. A request has its own fiber, so they need no reset. */
const annotate = (annotations: Readonly<Record<string, unknown>>): Effect.Effect<void> =>
  FiberRef.update(
    FiberRef.currentLogAnnotations,
    (known) => Object.entries(annotations).reduce((all, [name, value]) => HashMap.set(all, name, value), known)
  )

/** A request with its id and its route. It gets exactly one reply and one log line. */
class Exchange {
  readonly requestId: string
  readonly match: Match
  readonly source: IncomingMessage
  readonly target: ServerResponse
  readonly #started: bigint

  constructor(requestId: string, match: Match, started: bigint, source: IncomingMessage, target: ServerResponse) {
    this.requestId = requestId
    this.match = match
    this.source = source
    this.target = target
    this.#started = started
  }

  /** Logs the request with the pattern of its route, without any data of the request (API gaps, Credentials). */
  log(status: number): Effect.Effect<void> {
    return Effect.withFiberRuntime((fiber) => {
      // Do not build a line that the log level drops.
      const least = fiber.getFiberRef(FiberRef.currentMinimumLogLevel)
      if (LogLevel.greaterThan(least, LogLevel.Info)) return Effect.void
      const clock = Context.get(fiber.currentDefaultServices, Clock.Clock)
      return Effect.zipRight(
        annotate({
          request_id: this.requestId,
          method: this.source.method,
          route: routeName(this.match),
          status,
          duration_ms: Number((clock.unsafeCurrentTimeNanos() - this.#started) / 1000n) / 1000
        }),
        Effect.logInfo("Request")
      )
    })
  }

  /** Sends the reply, unless one was sent before. */
  finish(reply: Reply.Reply): Effect.Effect<void> {
    return Effect.suspend(() => {
      const { source, target } = this
      if (target.headersSent) return Effect.void
      const { status } = reply
      const body = reply.body?.content
      const headers = Reply.rawHeaders(reply)
      headers.push("x-request-id", this.requestId)
      // What is left of a body that is too large or too slow comes in after the reply.
      const lingers = status === 413 || status === 408
      if (lingers) headers.push("connection", "close")
      target.writeHead(status, headers)
      if (body !== undefined && typeof body !== "string") {
        target.flushHeaders()
        const isRead = source.method !== "HEAD"
        return Effect.zipRight(
          this.log(status),
          isRead ? Effect.interruptible(writePieces(target, body)) : Effect.sync(() => target.end())
        )
      }
      if (lingers) {
        target.write(body ?? "")
        Body.drain(source, () => target.end())
      } else {
        target.end(body)
      }
      return this.log(status)
    })
  }
}

/** Serves requests to a server of Node's, each in one fiber that ends when the client goes away. */
export const make = (
  find: (method: string, path: string) => Match,
  pipeline: Pipeline,
  deadlines: () => Deadline
): Effect.Effect<RequestListener> =>
  Effect.gen(function*() {
    const requestId = yield* requestIds
    const clock = yield* Effect.clock
    const isTraced = yield* FiberRef.get(FiberRef.currentTracerEnabled)
    const fork = Runtime.runFork(yield* Effect.runtime())

    return (source, target) => {
      const { path, query } = splitTarget(source.url ?? "")
      const method = source.method ?? ""
      const match = find(method, path)
      const exchange = new Exchange(
        requestId(source.headers["x-request-id"]?.toString()),
        match,
        clock.unsafeCurrentTimeNanos(),
        source,
        target
      )

      const deadline = deadlines()
      const replied = Effect.suspend(() => {
        if (match._tag !== "Found") return Effect.succeed(notFound(method, match))
        if (match.route._tag === "Page") return Effect.succeed(match.route.reply)
        return pipeline({
          route: match.route,
          path: match.path,
          query,
          source,
          deadline,
          onExpiry: (reply) => {
            fork(exchange.finish(reply))
            fiber.unsafeInterruptAsFork(FiberId.none)
          }
        })
      })

      const spanned = isTraced ? Effect.withSpan(replied, `${method} ${routeName(match)}`, SPAN) : replied
      const fiber = fork(Effect.uninterruptible(Effect.zipRight(
        annotate({ request_id: exchange.requestId }),
        Effect.matchCauseEffect(Effect.interruptible(spanned), {
          onSuccess: (reply) => {
            deadline.end()
            return exchange.finish(reply)
          },
          onFailure: (cause) => {
            deadline.end()
            if (!Cause.isInterruptedOnly(cause)) {
              return Effect.flatMap(ErrorMapping.toReply(cause, Reply.NO_HEADERS), (reply) => exchange.finish(reply))
            }
            return target.headersSent ? Effect.void : exchange.log(CLIENT_CLOSED_REQUEST)
          }
        })
      )))
      if (fiber.unsafePoll() !== null) return
      target.on("close", () => {
        if (!target.writableEnded) fiber.unsafeInterruptAsFork(FiberId.none)
      })
    }
  })
