import type { ApiRoutes } from "@community-messaging/http-api-node/ApiRoutes"
import * as RequestTarget from "@community-messaging/http-api-node/RequestTarget"
import type { Match, Route } from "@community-messaging/http-api-node/RouteTable"
import { type HttpApp, type HttpRouter, HttpServerRequest, HttpServerResponse } from "@effect/platform"
import { Cause, Clock, Context, Effect, FiberRef, HashMap, LogLevel } from "effect"
import { InternalServerError, MethodNotAllowed, NotFound } from "../definition/ApiError.ts"
import * as ResponseHeaders from "../ResponseHeaders.ts"
import * as LoggedCause from "./LoggedCause.ts"
import type { RequestIds } from "./RequestId.ts"

/** Seconds after which a client may try again when the service was not available. */
const RETRY_AFTER = "5"

/** What stands in the log for paths that are not known: they may contain anything. */
const UNMATCHED = "unmatched"

/** The status in the log of a request whose client did not wait for the answer. */
const CLIENT_CLOSED_REQUEST = 499

const routeOf = (match: Match<Route>): string => {
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
  match: Exclude<Match<Route>, { readonly _tag: "Found" }>
): HttpServerResponse.HttpServerResponse => {
  if (match._tag === "Unknown") return HttpServerResponse.unsafeJson(new NotFound(), { status: 404 })
  const headers = { allow: match.allow.join(", ") }
  return method === "OPTIONS"
    ? HttpServerResponse.empty({ status: 204, headers })
    : HttpServerResponse.unsafeJson(new MethodNotAllowed(), { status: 405, headers })
}

const unforeseen = (cause: Cause.Cause<unknown>): Effect.Effect<HttpServerResponse.HttpServerResponse> =>
  Effect.as(
    Effect.logError("Unforeseen failure").pipe(Effect.annotateLogs({ cause: LoggedCause.describe(cause) })),
    HttpServerResponse.unsafeJson(new InternalServerError(), { status: 500 })
  )

const commonHeaders = (
  { headers, status }: HttpServerResponse.HttpServerResponse,
  requestId: string
): Readonly<Record<string, string>> => ({
  "x-request-id": requestId,
  "cache-control": headers["cache-control"] ?? "no-store",
  ...(status === 503 && { "retry-after": RETRY_AFTER })
})

/** Adds to every line that the request logs from now on. It has its fiber for itself, so nothing is set back. */
const annotate = (annotations: Readonly<Record<string, unknown>>): Effect.Effect<void> =>
  FiberRef.update(
    FiberRef.currentLogAnnotations,
    (known) => Object.entries(annotations).reduce((all, [name, value]) => HashMap.set(all, name, value), known)
  )

/**
 * What is around every request: its identifier, its route, an answer whatever happens, and one line in the log
 * (decisions, 1 to 3). The line knows the route's pattern and nothing that the request says.
 */
export const make = (
  { find, run }: ApiRoutes,
  requestIds: RequestIds
): HttpApp.Default<never, HttpRouter.HttpRouter.DefaultServices> =>
  Effect.withFiberRuntime((fiber) => {
    const request = Context.unsafeGet(fiber.currentContext, HttpServerRequest.HttpServerRequest)
    const clock = Context.get(fiber.currentDefaultServices, Clock.Clock)
    const started = clock.unsafeCurrentTimeNanos()
    const requestId = requestIds(request.headers["x-request-id"])
    const { path, query } = RequestTarget.split(request.url)
    const match = find(request.method, path)

    // The line is not even made where nobody would read it.
    const isLogged = LogLevel.lessThanEqual(fiber.getFiberRef(FiberRef.currentMinimumLogLevel), LogLevel.Info)
    const log = (status: number): Effect.Effect<void> =>
      isLogged
        ? Effect.zipRight(
          annotate({
            method: request.method,
            route: routeOf(match),
            status,
            duration_ms: Number((clock.unsafeCurrentTimeNanos() - started) / 1000n) / 1000
          }),
          Effect.logInfo("Request")
        )
        : Effect.void

    const finish = (response: HttpServerResponse.HttpServerResponse) =>
      Effect.as(
        Effect.zipRight(ResponseHeaders.add(commonHeaders(response, requestId)), log(response.status)),
        response
      )

    const answer = match._tag === "Found" ? run(match, query) : Effect.succeed(otherwise(request.method, match))
    return Effect.zipRight(
      annotate({ request_id: requestId }),
      Effect.matchCauseEffect(answer, {
        onSuccess: finish,
        onFailure: (cause) =>
          Cause.isInterruptedOnly(cause)
            ? Effect.zipRight(log(CLIENT_CLOSED_REQUEST), Effect.interrupt)
            : Effect.flatMap(unforeseen(cause), finish)
      })
    )
  })
