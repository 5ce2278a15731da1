import { Context, Data, Duration, Effect, Layer, type Option, Record } from "effect"
import type { RateLimitBucket } from "../wire/RateLimitBucket.ts"

/** So many requests in such a time. */
export interface Limit {
  readonly limit: number
  readonly window: Duration.DurationInput
}

/** The limits of every bucket. */
export type Limits = Readonly<Record<RateLimitBucket, Limit>>

/** The limits unless an operator sets others (API gaps, Rate limits). What is counted together is said by the key. */
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
  /** Per webhook. */
  "webhook-notification": { limit: 200, window: "1 minute" },
  /** Failed attempts, per address. */
  authentication: { limit: 30, window: "1 minute" },
  /** Per principal: a user, an admin key or a webhook. */
  global: { limit: 50, window: "1 second" }
}

/** What is left of a limit. */
export interface Quota {
  readonly bucket: RateLimitBucket
  readonly limit: number
  readonly remaining: number
  /** When nothing is counted any more, in Unix seconds. */
  readonly resetAt: number
}

/** How a client learns what is left of a limit (API gaps, Rate limits). */
export const quotaHeaders = (quota: Quota): Readonly<Record<string, string>> => ({
  "x-ratelimit-limit": String(quota.limit),
  "x-ratelimit-remaining": String(quota.remaining),
  "x-ratelimit-reset": String(quota.resetAt),
  "x-ratelimit-bucket": quota.bucket
})

/** The most counters that are kept unless told otherwise. */
const MAX_COUNTERS = 100_000

/** What there is of a counter: how much was counted, and when that is forgotten, in Unix milliseconds. */
export interface Counter {
  readonly count: number
  readonly expiresAt: number
}

/**
 * Counters in memory that are forgotten when their time is over, at most `capacity` of them. A new one takes the place of
 * expired ones, else of the one that was counted in least recently.
 */
export class BoundedCounters {
  // In the order in which they were counted in.
  readonly #counters = new Map<string, Counter>()
  readonly #capacity: number

  constructor(capacity: number = MAX_COUNTERS) {
    this.#capacity = capacity
  }

  /** The counter of that key; an empty one where nothing is counted. */
  find(key: string, now: number): Counter {
    const found = this.#counters.get(key)
    return found !== undefined && found.expiresAt > now ? found : { count: 0, expiresAt: now }
  }

  /** Counts one more, unless the limit is used up; each counted adds its share of the window to the time of the counter. */
  count(key: string, limit: number, windowMillis: number, now: number): Counter & { readonly isCounted: boolean } {
    const { count, expiresAt } = this.find(key, now)
    if (count >= limit) return { count, expiresAt, isCounted: false }
    const counter = { count: count + 1, expiresAt: expiresAt + windowMillis / limit, isCounted: true }
    this.#counters.delete(key)
    this.#makeRoom(now)
    this.#counters.set(key, counter)
    return counter
  }

  /** Removes from the front as long as counters are expired; the first one in any case where room is needed. */
  #makeRoom(now: number) {
    for (const [key, { expiresAt }] of this.#counters) {
      if (expiresAt > now && this.#counters.size < this.#capacity) return
      this.#counters.delete(key)
    }
  }
}

/** The limit is used up. */
export class QuotaExceeded extends Data.TaggedError("QuotaExceeded")<{
  readonly quota: Quota
  /** Seconds to wait, at least one. */
  readonly retryAfter: number
}> {}

const exceeded = (quota: Quota, waitMillis: number): QuotaExceeded =>
  new QuotaExceeded({ quota, retryAfter: Math.max(1, Math.ceil(waitMillis / 1000)) })

/** Counts requests. Where limits are off there are no quotas. */
export class RateLimits extends Context.Tag("@community-messaging/http-adapter/RateLimits")<RateLimits, {
  /** Counts one request with that key. */
  readonly count: (bucket: RateLimitBucket, key: string) => Effect.Effect<Option.Option<Quota>, QuotaExceeded>
}>() {
  /** Counts in this process, and at once: no request waits for its counting. */
  static readonly layer = (overrides: Partial<Limits> = {}): Layer.Layer<RateLimits> =>
    Layer.sync(RateLimits, () => {
      const counters = new BoundedCounters()
      const limits = Record.map({ ...DEFAULT_LIMITS, ...overrides }, ({ limit, window }, bucket) => ({
        limit,
        windowMillis: Duration.toMillis(window),
        quota: (remaining: number, expiresAt: number): Quota => ({
          bucket,
          limit,
          remaining,
          resetAt: Math.ceil(expiresAt / 1000)
        })
      }))

      return {
        count: (bucket, key) =>
          Effect.clockWith((clock) => {
            const now = clock.unsafeCurrentTimeMillis()
            const { limit, quota, windowMillis } = limits[bucket]
            const { count, expiresAt, isCounted } = counters.count(`${bucket}:${key}`, limit, windowMillis, now)
            return isCounted
              ? Effect.succeedSome(quota(limit - count, expiresAt))
              : Effect.fail(exceeded(quota(0, expiresAt), expiresAt - now))
          })
      }
    })

  /** No limits. */
  static readonly layerOff: Layer.Layer<RateLimits> = Layer.succeed(RateLimits, {
    count: () => Effect.succeedNone
  })
}
