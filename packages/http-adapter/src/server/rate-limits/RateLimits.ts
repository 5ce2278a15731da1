import { Context, Duration, Effect, Layer, type Option, Record } from "effect"
import { RateLimited } from "../../wire/ApiError.ts"
import type { RateLimitBucket } from "../../wire/RateLimitBucket.ts"
import { type ErrorWithHeaders, withHeaders } from "../replies/ErrorMapping.ts"
import { rateLimitCounter } from "../telemetry/ServerMetrics.ts"
import { RateLimitCounters, type Usage } from "./RateLimitCounters.ts"

/** A maximum number of requests in a time window. */
export interface Limit {
  readonly limit: number
  readonly window: Duration.DurationInput
}

/** The limits of every bucket. */
export type Limits = Readonly<Record<RateLimitBucket, Limit>>

/** The default limits (API gaps, Rate limits). Each limit applies per key. */
export const DEFAULT_LIMITS: Limits = {
  /** Per user. */
  consent: { limit: 60, window: "1 minute" },
  /** Per user. */
  "scheduled-messages": { limit: 40, window: "10 seconds" },
  /** Per user and guild. */
  "member-search": { limit: 40, window: "10 seconds" },
  /** Per admin key. */
  administration: { limit: 100, window: "1 minute" },
  /** Per webhook. */
  "webhook-update": { limit: 20, window: "10 seconds" },
  /** Per webhook: each started MiB of an avatar counts. */
  "webhook-avatar": { limit: 30, window: "1 hour" },
  /** Per webhook. */
  "webhook-notification": { limit: 200, window: "1 minute" },
  /** Per principal: each started 256 KiB of a body counts, except the first. */
  body: { limit: 256, window: "1 minute" },
  /** Failed attempts, per address. */
  authentication: { limit: 30, window: "1 minute" },
  /** Per principal: a user, an admin key or a webhook. */
  global: { limit: 50, window: "1 second" }
}

/** The remaining quota of a limit. */
export interface Quota {
  readonly bucket: RateLimitBucket
  readonly limit: number
  readonly remaining: number
  /** When the full quota is available again, in Unix seconds. */
  readonly resetAt: number
  /** How long until then, in milliseconds. */
  readonly resetAfterMillis: number
}

/** Returns the headers that report the quota to the client (API gaps, Rate limits). */
export const quotaHeaders = (quota: Quota): Readonly<Record<string, string>> => ({
  "x-ratelimit-limit": String(quota.limit),
  "x-ratelimit-remaining": String(quota.remaining),
  "x-ratelimit-reset": String(quota.resetAt),
  "x-ratelimit-reset-after": (Math.ceil(quota.resetAfterMillis) / 1000).toFixed(3),
  "x-ratelimit-bucket": quota.bucket
})

/** The error for a caller that exceeds a rate limit, with the time to wait: at least a second. */
const overQuota = (quota: Quota): ErrorWithHeaders =>
  withHeaders(
    new RateLimited({ retry_after: Math.max(1, Math.ceil(quota.resetAfterMillis / 1000)) }),
    quotaHeaders(quota)
  )

/** Counts requests per key. Returns no quotas if rate limits are off. */
export class RateLimits extends Context.Tag("@community-messaging/http-adapter/RateLimits")<RateLimits, {
  /** Counts one request of the key, or more than one unit if it costs more. An amount above the limit counts as the limit. */
  readonly count: (
    bucket: RateLimitBucket,
    key: string,
    amount?: number
  ) => Effect.Effect<Option.Option<Quota>, ErrorWithHeaders>
}>() {
  /** Counts with `RateLimitCounters`, whose implementation decides which servers count together. */
  static readonly layerWithoutCounters = (
    overrides: Partial<Limits> = {}
  ): Layer.Layer<RateLimits, never, RateLimitCounters> =>
    Layer.effect(
      RateLimits,
      Effect.zipWith(Effect.clock, RateLimitCounters, (clock, counters) => {
        const limits = Record.map({ ...DEFAULT_LIMITS, ...overrides }, ({ limit, window }, bucket) => {
          const countExceeded = rateLimitCounter(bucket)
          const quotaOf = ({ count, expiresInMillis }: Usage): Quota => ({
            bucket,
            limit,
            remaining: limit - count,
            resetAt: Math.ceil((clock.unsafeCurrentTimeMillis() + expiresInMillis) / 1000),
            resetAfterMillis: expiresInMillis
          })
          return {
            allowance: { limit, windowMillis: Duration.toMillis(window) },
            conclude: (usage: Usage) => {
              if (usage.isCounted) return Effect.succeedSome(quotaOf(usage))
              countExceeded()
              return Effect.fail(overQuota(quotaOf(usage)))
            }
          }
        })

        return {
          count: (bucket, key, amount = 1) => {
            const { allowance, conclude } = limits[bucket]
            return Effect.flatMap(counters.count(bucket, key, allowance, Math.min(amount, allowance.limit)), conclude)
          }
        }
      })
    )

  /** Counts in the memory of this process. */
  static readonly layer = (overrides: Partial<Limits> = {}): Layer.Layer<RateLimits> =>
    Layer.provide(RateLimits.layerWithoutCounters(overrides), RateLimitCounters.layerMemory)

  /** Rate limits are off. */
  static readonly layerOff: Layer.Layer<RateLimits> = Layer.succeed(RateLimits, {
    count: () => Effect.succeedNone
  })
}
