import { Context, Duration, Effect, Layer, Metric, MetricLabel, Record } from "effect"
import { RateLimited } from "../../wire/ApiError.ts"
import type { RateLimitBucket } from "../../wire/RateLimitBucket.ts"
import { type ErrorWithHeaders, withHeaders } from "../replies/ErrorMapping.ts"
import { type Headers, NO_HEADERS } from "../replies/Reply.ts"

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
  /** Per webhook: each started MiB of a new avatar counts. */
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

/**
 * Makes the headers that report the remaining quota to the client (API gaps, Rate limits). That takes longer than to count,
 * and only one of the quotas of a request is reported.
 */
export type Quota = () => Headers

/** The maximum number of counters. */
export const MAX_COUNTERS = 100_000

/** The amount that is allowed in a time window. */
export interface Allowance {
  readonly limit: number
  readonly windowMillis: number
}

/** The used part of an allowance. */
export interface Usage {
  readonly count: number
  /** How long until the full allowance is available again. */
  readonly expiresInMillis: number
  /** Whether the amount was counted. If not, it would have exceeded the limit. */
  readonly isCounted: boolean
}

/**
 * Counters in memory that expire, at most `MAX_COUNTERS` of them. If there is no room, a new counter replaces expired ones,
 * or else the least recently used one. Times are in milliseconds of the clock that counts.
 */
export class BoundedCounters {
  // Ordered by last use, oldest first.
  readonly #counters = new Map<string, { readonly count: number; readonly expiresAt: number }>()

  /**
   * Adds the amount to the counter unless that exceeds the limit. Each unit extends the expiry by its share of the window.
   * A counter never lasts longer than its window, even if the clock is set.
   */
  count(key: string, { limit, windowMillis }: Allowance, now: number, amount = 1): Usage {
    const found = this.#counters.get(key)
    const isValid = found !== undefined && found.expiresAt > now && found.expiresAt <= now + windowMillis
    const { count, expiresAt } = isValid ? found : { count: 0, expiresAt: now }
    const isCounted = count + amount <= limit
    if (!isCounted) return { count, expiresInMillis: expiresAt - now, isCounted }
    const counter = { count: count + amount, expiresAt: expiresAt + windowMillis / limit * amount }
    this.#counters.delete(key)
    this.#makeRoom(now)
    this.#counters.set(key, counter)
    return { count: counter.count, expiresInMillis: counter.expiresAt - now, isCounted }
  }

  /** Removes expired counters from the front, and the first counter in any case if there is no room. */
  #makeRoom(now: number) {
    for (const [key, { expiresAt }] of this.#counters) {
      if (expiresAt > now && this.#counters.size < MAX_COUNTERS) return
      this.#counters.delete(key)
    }
  }
}

/**
 * Port: the counters of the rate limits. Adds the amount to the counter of the key in the bucket unless that exceeds the
 * limit. Each unit extends the counter's expiry by its share of the window, and a counter never lasts longer than its
 * window, even if clocks are set. Counting never fails, and takes less than a tenth of a second: requests wait for it.
 */
export class RateLimitCounters
  extends Context.Tag("@community-messaging/http-adapter/RateLimitCounters")<RateLimitCounters, {
    readonly count: (
      bucket: RateLimitBucket,
      key: string,
      allowance: Allowance,
      amount: number
    ) => Effect.Effect<Usage>
  }>()
{
  /**
   * Counters in the memory of this process, so that counting never waits. Time is monotonic, so that a change of the
   * wall clock locks no client out.
   */
  static readonly layerMemory: Layer.Layer<RateLimitCounters> = Layer.effect(
    RateLimitCounters,
    Effect.map(Effect.clock, (clock) => {
      const counters = new BoundedCounters()
      const origin = clock.unsafeCurrentTimeNanos()
      return {
        count: (bucket, key, allowance, amount) =>
          Effect.sync(() => {
            const now = Number((clock.unsafeCurrentTimeNanos() - origin) / 1000n) / 1000
            return counters.count(`${bucket}:${key}`, allowance, now, amount)
          })
      }
    })
  )
}

const rateLimitsExceeded = Metric.counter("community_messaging_rate_limits_exceeded_total", {
  description: "Requests that were refused because of a rate limit, by its bucket.",
  incremental: true
})

/** Counts requests per key. Quotas have no headers if rate limits are off. */
export class RateLimits extends Context.Tag("@community-messaging/http-adapter/RateLimits")<RateLimits, {
  /** Counts one request of the key, or more than one unit if it costs more. An amount above the limit counts as the limit. */
  readonly count: (
    bucket: RateLimitBucket,
    key: string,
    amount?: number
  ) => Effect.Effect<Quota, ErrorWithHeaders>
}>() {
  /** Counts with `RateLimitCounters`, whose implementation decides which servers count together. */
  static readonly layerWithoutCounters = (
    overrides: Partial<Limits> = {}
  ): Layer.Layer<RateLimits, never, RateLimitCounters> =>
    Layer.effect(
      RateLimits,
      Effect.zipWith(Effect.clock, RateLimitCounters, (clock, counters) => {
        const limits = Record.map({ ...DEFAULT_LIMITS, ...overrides }, ({ limit, window }, bucket) => {
          const labels = [MetricLabel.make("bucket", bucket)]
          // So that the rate is right from the first request on.
          rateLimitsExceeded.unsafeUpdate(0, labels)
          const headersOf = ({ count, expiresInMillis }: Usage): Headers => ({
            "x-ratelimit-limit": String(limit),
            // Another server may have a higher limit, and count more than this one allows.
            "x-ratelimit-remaining": String(Math.max(0, limit - count)),
            "x-ratelimit-reset": String(Math.ceil((clock.unsafeCurrentTimeMillis() + expiresInMillis) / 1000)),
            "x-ratelimit-reset-after": (Math.ceil(expiresInMillis) / 1000).toFixed(3),
            "x-ratelimit-bucket": bucket
          })
          return {
            allowance: { limit, windowMillis: Duration.toMillis(window) },
            conclude: (usage: Usage): Effect.Effect<Quota, ErrorWithHeaders> => {
              if (usage.isCounted) return Effect.succeed(() => headersOf(usage))
              rateLimitsExceeded.unsafeUpdate(1, labels)
              // At least a second.
              const seconds = Math.max(1, Math.ceil(usage.expiresInMillis / 1000))
              return Effect.fail(withHeaders(new RateLimited({ retry_after: seconds }), headersOf(usage)))
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
    count: () => Effect.succeed(() => NO_HEADERS)
  })
}
