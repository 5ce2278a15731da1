import { HttpRouter, HttpServerRequest } from "@effect/platform"
import { Effect, Option } from "effect"
import { Api } from "../definition/Api.ts"
import { RateLimited } from "../definition/ApiError.ts"
import type { RateLimitBucket } from "../definition/RateLimitBucket.ts"
import { type Quota, type QuotaExceeded, RateLimits } from "../rate-limit/RateLimits.ts"
import * as ResponseHeaders from "../ResponseHeaders.ts"
import * as ClientAddress from "./ClientAddress.ts"
import * as EndpointChecks from "./EndpointChecks.ts"

/** Whoever requests are counted for: a user, an admin key or a webhook. */
export type Principal = `user:${string}` | `admin:${string}` | `webhook:${string}`

type Request = HttpServerRequest.HttpServerRequest

const refuse = ({ quota, retryAfter }: QuotaExceeded): Effect.Effect<never, RateLimited, Request> =>
  Effect.zipRight(
    ResponseHeaders.add({ ...ResponseHeaders.ofQuota(quota), "retry-after": String(retryAfter) }),
    Effect.fail(new RateLimited({ retry_after: retryAfter }))
  )

/** Tells the client what is left of a limit. */
const tell = (quota: Option.Option<Quota>): Effect.Effect<void, never, Request> =>
  Option.isSome(quota) ? ResponseHeaders.add(ResponseHeaders.ofQuota(quota.value)) : Effect.void

const checksOf = EndpointChecks.make(Api)

/** Members are searched per user and guild; everything else is counted per principal. */
const keyIn = (bucket: RateLimitBucket, principal: Principal, params: HttpRouter.RouteContext["params"]) =>
  bucket === "member-search" ? `${principal}:${(params["guild_id"] ?? "").slice(0, 20)}` : principal

/** Applies the rate limits: to failed authentication by address, to everything else by principal (decisions, 12). */
export const make = Effect.gen(function*() {
  const limits = yield* RateLimits
  const proxies = yield* ClientAddress.TrustedProxies

  return {
    /**
     * Authenticates, unless too many attempts failed from the same address: then nothing is looked up. A failure counts
     * when it is one of credentials.
     */
    authenticate: <A, E, R>(
      attempt: Effect.Effect<A, E, R>,
      isWrong: (error: E) => boolean
    ): Effect.Effect<A, E | RateLimited, R | Request> =>
      Effect.flatMap(HttpServerRequest.HttpServerRequest, (request) => {
        const address = ClientAddress.rateLimitKey(ClientAddress.of(request, proxies))
        const countFailure = Effect.flatMap(
          Effect.catchAll(limits.count("authentication", address), ({ quota }) => Effect.succeedSome(quota)),
          tell
        )
        return Effect.zipRight(
          Effect.catchAll(limits.check("authentication", address), refuse),
          Effect.tapError(attempt, (error) => isWrong(error) ? countFailure : Effect.void)
        )
      }),
    /** Counts the request for its principal, in the bucket of its endpoint and in the global one. */
    admit: (principal: Principal): Effect.Effect<void, RateLimited, Request | HttpRouter.RouteContext> =>
      Effect.flatMap(HttpRouter.RouteContext, ({ params, route }) => {
        const bucket = checksOf(route)?.bucket ?? Option.none()
        return Effect.flatMap(limits.count("global", principal), () =>
          Option.isSome(bucket)
            ? Effect.flatMap(limits.count(bucket.value, keyIn(bucket.value, principal, params)), tell)
            : Effect.void)
      }).pipe(Effect.catchTag("QuotaExceeded", refuse))
  }
})
