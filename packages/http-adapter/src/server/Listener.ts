import { fiberScheduler } from "@community-messaging/event-loop/FiberScheduler"
import {
  Cause,
  Duration,
  Effect,
  FiberId,
  FiberRef,
  FiberRefs,
  HashMap,
  LogLevel,
  Random,
  Runtime,
  RuntimeFlags
} from "effect"
import type { IncomingMessage } from "node:http"
import { BadRequest, MethodNotAllowed, NotFound, ServiceUnavailable } from "../wire/ApiError.ts"
import type { Drain } from "./bodies/BodyDrain.ts"
import type { Answers } from "./connections/Connection.ts"
import type { CrossOrigin } from "./CrossOrigin.ts"
import { Exchange, type RouteLabel, type Shared } from "./Exchange.ts"
import type { Page } from "./Page.ts"
import type { Pipeline, Work } from "./Pipeline.ts"
import * as ErrorMapping from "./replies/ErrorMapping.ts"
import * as Reply from "./replies/Reply.ts"
import { inSpan } from "./RequestSpan.ts"
import { type Match, targetOf } from "./Routes.ts"

/** The label of unknown paths, which may contain anything. */
const UNMATCHED: RouteLabel = { name: "unmatched", isQuiet: false }

/** A valid id that a client gives its request. An invalid one is replaced (API gaps, Wire conventions). */
const VALID_REQUEST_ID = /^[A-Za-z0-9._-]{1,128}$/

/**
 * Makes the function that returns the id of a request: its `X-Request-Id` if that is valid, else a new id, unique across
 * processes.
 */
export const makeRequestIds = Effect.map(
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

/** The status in the log of a request whose client disconnected before the response. */
const CLIENT_CLOSED_REQUEST = 499

const labelOf = (match: Match): RouteLabel => {
  switch (match._tag) {
    case "Found":
      return { name: match.route.path, isQuiet: match.route._tag === "Page" && match.route.isQuiet === true }
    case "OtherMethod":
      return { name: match.path, isQuiet: false }
    case "Unknown":
      return UNMATCHED
  }
}

/** The same for every unknown path, which scanners request all the time. */
const NOT_FOUND = Reply.ofError(new NotFound(), Reply.NO_HEADERS)

/** The reply to a request for which there is no route. */
const notFound = (method: string, match: Exclude<Match, { readonly _tag: "Found" }>): Reply.Reply => {
  if (match._tag === "Unknown") return NOT_FOUND
  const headers = { allow: match.allow.join(", ") }
  return method === "OPTIONS"
    ? { status: 204, headers, body: undefined }
    : Reply.ofError(new MethodNotAllowed(), headers)
}

const malformed = Reply.ofError(new BadRequest(), Reply.CLOSE)

/** The characters of a host and a port (RFC 3986, 3.2.2 and 3.2.3), which have no comma: Node joins several hosts with one. */
const HOST = /^(?:[\w.~%!$&'()*+;=-]*|\[[\w.~%:-]+\])(?::\d*)?$/

/**
 * Rejects what the parser lets through although two servers could understand it differently: another version of HTTP, no
 * host, an invalid one or several of them (RFC 9112, 3.2), and a transfer coding besides `chunked`. Requests of HTTP/2, which
 * an embedding server may pass on, have none of that.
 */
const malformation = (source: IncomingMessage): Reply.Reply | undefined => {
  const { headers, httpVersion } = source
  const { host, "transfer-encoding": coding } = headers
  if (httpVersion !== "1.1" && httpVersion !== "1.0") return "stream" in source ? undefined : malformed
  if (host === undefined ? httpVersion !== "1.0" : !HOST.test(host)) return malformed
  return coding === undefined || (coding.toLowerCase() === "chunked" && httpVersion !== "1.0") ? undefined : malformed
}

/** Whether a connection is refused because there are too many. A probe still gets its page, because the server works. */
const isForTooMany = ({ status }: Reply.Reply): boolean => status === 503 || status === 429

/** The reply of a page: with the headers of the refusal if its connection is refused. */
const pageReply = (
  { reply }: Page,
  source: IncomingMessage,
  refusal: Reply.Reply | undefined
): Reply.Reply | Work => {
  const answered = (page: Reply.Reply): Reply.Reply =>
    refusal === undefined ? page : { ...page, headers: { ...page.headers, ...Reply.CLOSE } }
  return typeof reply === "function"
    ? only(Effect.map(Effect.suspend(() => reply(source)), answered))
    : answered(reply)
}

/** The work on a request without a body: it holds nothing to release. */
const only = (reply: Effect.Effect<Reply.Reply>): Work => ({ reply, end: () => {} })

/** Makes the function that runs requests, each in a fiber that cannot be interrupted unless its effect allows it. */
const requestFork = Effect.map(Effect.runtime(), (given) => {
  const runtime = Runtime.setFiberRef(given, FiberRef.currentScheduler, fiberScheduler)
  // What a fiber inherits is found once. For each fiber, this would take half of its start.
  const inherited = FiberRefs.forkAs(runtime.fiberRefs, FiberId.none).locals
  const annotations = FiberRefs.getOrDefault(runtime.fiberRefs, FiberRef.currentLogAnnotations)
  const fork = Runtime.runFork(
    Runtime.disableRuntimeFlag(Runtime.updateFiberRefs(runtime, FiberRefs.empty), RuntimeFlags.Interruption)
  )
  /** All log lines of the request have its id. */
  return (requestId: string, effect: Effect.Effect<void>) =>
    fork(effect, {
      updateRefs: ({ locals: own }) => {
        const locals = new Map(inherited)
        for (const [ref, value] of own) locals.set(ref, value)
        // With the fiber's own id, a later change would be compared with this value, which takes longer.
        locals.set(FiberRef.currentLogAnnotations, [[FiberId.none, HashMap.set(annotations, "request_id", requestId)]])
        return FiberRefs.unsafeMake(locals)
      }
    })
})

/** The reply to a request whose work was interrupted from inside, because something that it needs has ended. */
const interrupted = Reply.ofError(new ServiceUnavailable(), Reply.NO_HEADERS)

/** Sends the reply at the end of the work. If the client has disconnected, only records the request. */
const replied = (exchange: Exchange, work: Work, reply: Effect.Effect<Reply.Reply>): Effect.Effect<void> =>
  Effect.matchCauseEffect(Effect.interruptible(reply), {
    onSuccess: (sent) => {
      work.end()
      return exchange.finish(sent)
    },
    onFailure: (cause) => {
      work.end()
      if (!Cause.isInterruptedOnly(cause)) {
        return Effect.flatMap(
          ErrorMapping.toReply(cause, Reply.NO_HEADERS, exchange.principalAnnotations),
          (sent) => exchange.finish(sent)
        )
      }
      if (exchange.target.headersSent) return Effect.void
      if (exchange.isClosed) return exchange.record(CLIENT_CLOSED_REQUEST)
      return Effect.logWarning("The work on a request was interrupted").pipe(
        Effect.annotateLogs(exchange.principalAnnotations),
        Effect.zipRight(exchange.finish(interrupted))
      )
    }
  })

/** Makes a listener. Each request has one fiber, which ends when the client disconnects. */
export const make = (
  find: (method: string, path: string) => Match,
  pipeline: Pipeline,
  drain: Drain,
  writeTimeout: Duration.Duration,
  crossOrigin?: CrossOrigin
): Effect.Effect<Answers> =>
  Effect.gen(function*() {
    const requestId = yield* makeRequestIds
    const clock = yield* Effect.clock
    const isTraced = yield* FiberRef.get(FiberRef.currentTracerEnabled)
    const isLogged = LogLevel.lessThanEqual(yield* FiberRef.get(FiberRef.currentMinimumLogLevel), LogLevel.Info)
    const fork = Runtime.runFork(yield* Effect.runtime())
    const forkRequest = yield* requestFork
    // 0 turns the limit of a socket off.
    const writeTimeoutMillis = Duration.isFinite(writeTimeout) ? Duration.toMillis(writeTimeout) : 0
    const shared: Shared = { fork, clock, isLogged, drain, crossOrigin, writeTimeoutMillis }

    const answer: Answers["answer"] = (source, target, refusal = malformation(source)) => {
      const { path, query } = targetOf(source)
      const method = source.method ?? ""
      const match = find(method, path)
      const label = labelOf(match)
      const exchange = new Exchange(
        requestId(source.headers["x-request-id"]?.toString()),
        label,
        clock.unsafeCurrentTimeNanos(),
        source,
        target,
        shared
      )

      const begin = (): Reply.Reply | Work => {
        if (refusal !== undefined && !(label.isQuiet && isForTooMany(refusal))) return refusal
        if (match._tag !== "Found") return notFound(method, match)
        const { path: parameters, route } = match
        if (route._tag === "Page") return pageReply(route, source, refusal)
        return pipeline({ route, path: parameters, query, source, exchange })
      }
      const begun = begin()
      if ("status" in begun && !isTraced) {
        exchange.send(begun)
        return exchange
      }
      const work = "status" in begun ? only(Effect.succeed(begun)) : begun

      const spanned = isTraced && !label.isQuiet && method !== ""
        ? inSpan(work.reply, source, { id: exchange.requestId, method, route: label.name })
        : work.reply
      const fiber = forkRequest(exchange.requestId, replied(exchange, work, spanned))
      if (fiber.unsafePoll() === null) exchange.own(fiber)
      return exchange
    }

    return { answer }
  })
