import { NodeRequest } from "@community-messaging/http-api-node/NodeRequest"
import { HttpApp, HttpServerRequest, HttpServerResponse } from "@effect/platform"
import { Effect } from "effect"
import type { Quota } from "./rate-limit/RateLimits.ts"

/** Adds headers to whatever the current request will be answered with. */
export const add = (
  headers: Readonly<Record<string, string>>
): Effect.Effect<void, never, HttpServerRequest.HttpServerRequest> =>
  Effect.flatMap(HttpServerRequest.HttpServerRequest, (request) => {
    if (request instanceof NodeRequest) return Effect.sync(() => request.answerWith(headers))
    return HttpApp.appendPreResponseHandler((_request, response) =>
      Effect.succeed(HttpServerResponse.setHeaders(response, headers))
    )
  })

/** How a client learns what is left of a limit (decisions, 12). */
export const ofQuota = (quota: Quota): Readonly<Record<string, string>> => ({
  "x-ratelimit-limit": String(quota.limit),
  "x-ratelimit-remaining": String(quota.remaining),
  "x-ratelimit-reset": String(quota.resetAt),
  "x-ratelimit-bucket": quota.bucket
})
