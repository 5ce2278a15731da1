import { Context, Effect, Layer } from "effect"
import type { RateLimitBucket } from "../../wire/RateLimitBucket.ts"
import { BoundedCounters } from "./BoundedCounters.ts"

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
 * Port: the counters of the rate limits. Adds the amount to the counter of the key in the bucket unless that exceeds the
 * limit. Each unit extends the counter's expiry by its share of the window, and a counter never lasts longer than its
 * window, even if clocks are set. Counting never fails, and takes milliseconds at most: requests wait for it.
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
        count: (bucket, key, { limit, windowMillis }, amount) =>
          Effect.sync(() => {
            const now = Number((clock.unsafeCurrentTimeNanos() - origin) / 1000n) / 1000
            const { count, expiresAt, isCounted } = counters.count(`${bucket}:${key}`, limit, windowMillis, now, amount)
            return { count, expiresInMillis: expiresAt - now, isCounted }
          })
      }
    })
  )
}
