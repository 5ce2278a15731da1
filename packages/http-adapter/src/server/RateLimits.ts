import { Context, Data, Duration, Effect, Layer, type Option, Record } from "effect"
import type { RateLimitBucket } from "../wire/RateLimitBucket.ts"
import { rateLimitCounter } from "./ServerMetrics.ts"

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

/** The default capacity of `BoundedCounters`. */
const MAX_COUNTERS = 100_000

/** The state of a counter: its count, and when it expires, in milliseconds of the clock that counts. */
export interface Counter {
  readonly count: number
  readonly expiresAt: number
}

/**
 * Counters in memory that expire, at most `capacity` of them. If there is no room, a new counter replaces expired ones,
 * or else the least recently used one.
 */
export class BoundedCounters {
  // Ordered by last use, oldest first.
  readonly #counters = new Map<string, Counter>()
  readonly #capacity: number

  constructor(capacity: number = MAX_COUNTERS) {
    this.#capacity = capacity
  }

  /** Returns the counter of the key, or an empty one. */
  find(key: string, now: number): Counter {
    const found = this.#counters.get(key)
    return found !== undefined && found.expiresAt > now ? found : { count: 0, expiresAt: now }
  }

  /**
   * Adds the amount to the counter unless that exceeds the limit. Each unit extends the expiry by its share of the window.
   * A counter never lasts longer than its window, whatever the clock does.
   */
  count(
    key: string,
    limit: number,
    windowMillis: number,
    now: number,
    amount = 1
  ): Counter & { readonly isCounted: boolean } {
    const found = this.find(key, now)
    if (found.expiresAt > now + windowMillis) this.#counters.delete(key)
    const { count, expiresAt } = this.find(key, now)
    if (count + amount > limit) return { count, expiresAt, isCounted: false }
    const counter = { count: count + amount, expiresAt: expiresAt + windowMillis / limit * amount, isCounted: true }
    this.#counters.delete(key)
    this.#makeRoom(now)
    this.#counters.set(key, counter)
    return counter
  }

  /** Removes expired counters from the front, and the first counter in any case if there is no room. */
  #makeRoom(now: number) {
    for (const [key, { expiresAt }] of this.#counters) {
      if (expiresAt > now && this.#counters.size < this.#capacity) return
      this.#counters.delete(key)
    }
  }
}

/** The rate limit is exceeded. */
export class QuotaExceeded extends Data.TaggedError("QuotaExceeded")<{
  readonly quota: Quota
  /** The time to wait in seconds, at least 1. */
  readonly retryAfter: number
}> {}

const exceeded = (quota: Quota): QuotaExceeded =>
  new QuotaExceeded({ quota, retryAfter: Math.max(1, Math.ceil(quota.resetAfterMillis / 1000)) })

/** Counts requests per key. Returns no quotas if rate limits are off. */
export class RateLimits extends Context.Tag("@community-messaging/http-adapter/RateLimits")<RateLimits, {
  /** Counts one request of the key, or more than one unit if it costs more. An amount above the limit counts as the limit. */
  readonly count: (
    bucket: RateLimitBucket,
    key: string,
    amount?: number
  ) => Effect.Effect<Option.Option<Quota>, QuotaExceeded>
}>() {
  /**
   * Counts in the memory of this process, so that counting never waits. Time is monotonic, so that nobody is locked out
   * when the wall clock is set.
   */
  static readonly layer = (overrides: Partial<Limits> = {}): Layer.Layer<RateLimits> =>
    Layer.effect(
      RateLimits,
      Effect.map(Effect.clock, (clock) => {
        const counters = new BoundedCounters()
        const origin = clock.unsafeCurrentTimeNanos()
        const limits = Record.map({ ...DEFAULT_LIMITS, ...overrides }, ({ limit, window }, bucket) => ({
          limit,
          windowMillis: Duration.toMillis(window),
          countExceeded: rateLimitCounter(bucket),
          quota: (remaining: number, resetAfterMillis: number): Quota => ({
            bucket,
            limit,
            remaining,
            resetAt: Math.ceil((clock.unsafeCurrentTimeMillis() + resetAfterMillis) / 1000),
            resetAfterMillis
          })
        }))

        return {
          count: (bucket, key, amount = 1) =>
            Effect.suspend(() => {
              const now = Number((clock.unsafeCurrentTimeNanos() - origin) / 1000n) / 1000
              const { countExceeded, limit, quota, windowMillis } = limits[bucket]
              const cost = Math.min(amount, limit)
              const counterKey = `${bucket}:${key}`
              const { count, expiresAt, isCounted } = counters.count(counterKey, limit, windowMillis, now, cost)
              if (isCounted) return Effect.succeedSome(quota(limit - count, expiresAt - now))
              countExceeded()
              return Effect.fail(exceeded(quota(limit - count, expiresAt - now)))
            })
        }
      })
    )

  /** Rate limits are off. */
  static readonly layerOff: Layer.Layer<RateLimits> = Layer.succeed(RateLimits, {
    count: () => Effect.succeedNone
  })
}
