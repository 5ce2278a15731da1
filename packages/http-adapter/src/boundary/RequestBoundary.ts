import { type HttpApp, HttpServerRequest, HttpServerResponse } from "@effect/platform"
import { Cause, Clock, Effect } from "effect"
import { InternalServerError, MethodNotAllowed, NotFound } from "../definition/ApiError.ts"
import * as LoggedCause from "./LoggedCause.ts"
import type { RequestIds } from "./RequestId.ts"
import type { Match, RouteTable } from "./RouteTable.ts"

/** Seconds after which a client may try again when the service was not available. */
const RETRY_AFTER = "5"

/** What stands in the log for paths that are not known: they may contain anything. */
const UNMATCHED = "unmatched"

const routeOf = (match: Match): string => {
  switch (match._tag) {
    case "Found":
      return match.route.path
    case "OtherMethod":
      return match.path
    case "Unknown":
      return UNMATCHED
  }
}

const otherwise = (
  method: string,
  match: Exclude<Match, { readonly _tag: "Found" }>
): HttpServerResponse.HttpServerResponse => {
  if (match._tag === "Unknown") return HttpServerResponse.unsafeJson(new NotFound(), { status: 404 })
  const headers = { allow: match.allow.join(", ") }
  return method === "OPTIONS"
    ? HttpServerResponse.empty({ status: 204, headers })
    : HttpServerResponse.unsafeJson(new MethodNotAllowed(), { status: 405, headers })
}

const unforeseen = (cause: Cause.Cause<unknown>): Effect.Effect<HttpServerResponse.HttpServerResponse> =>
  Cause.isInterruptedOnly(cause)
    ? Effect.interrupt
    : Effect.as(
      Effect.logError("Unforeseen failure").pipe(Effect.annotateLogs({ cause: LoggedCause.describe(cause) })),
      HttpServerResponse.unsafeJson(new InternalServerError(), { status: 500 })
    )

const withCommonHeaders = (response: HttpServerResponse.HttpServerResponse, requestId: string) =>
  HttpServerResponse.setHeaders(response, {
    "x-request-id": requestId,
    "cache-control": response.headers["cache-control"] ?? "no-store",
    ...(response.status === 503 && { "retry-after": RETRY_AFTER })
  })

/**
 * What is around every request: its identifier, its route, an answer whatever happens, and one line in the log
 * (decisions, 1 to 3). The line knows the route's pattern and nothing that the request says.
 */
export const make = <E, R>(
  app: HttpApp.Default<E, R>,
  routes: RouteTable,
  requestIds: RequestIds
): HttpApp.Default<never, R> =>
  Effect.gen(function*() {
    const request = yield* HttpServerRequest.HttpServerRequest
    const started = yield* Clock.currentTimeNanos
    const requestId = requestIds(request.headers["x-request-id"])
    const match = routes(request.method, request.url)

    const answer = match._tag === "Found"
      ? app.pipe(
        Effect.provideService(HttpServerRequest.HttpServerRequest, request.modify({ url: match.url })),
        Effect.catchAllCause(unforeseen)
      )
      : Effect.succeed(otherwise(request.method, match))

    const log = (status: number) =>
      Effect.flatMap(Clock.currentTimeNanos, (ended) =>
        Effect.annotateLogs(Effect.logInfo("Request"), {
          method: request.method,
          route: routeOf(match),
          status,
          duration_ms: Number((ended - started) / 1000n) / 1000
        }))

    return yield* answer.pipe(
      Effect.map((response) => withCommonHeaders(response, requestId)),
      Effect.tap((response) => log(response.status)),
      Effect.onInterrupt(() => log(499)),
      Effect.annotateLogs({ request_id: requestId })
    )
  })
