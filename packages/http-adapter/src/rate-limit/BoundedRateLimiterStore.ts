import { RateLimiter } from "@effect/experimental"
import { Clock, Duration, Effect, Layer } from "effect"

/** The most counters that are kept unless told otherwise. */
export const MAX_COUNTERS = 100_000

interface Counter {
  readonly count: number
  /** In Unix milliseconds. */
  readonly expiresAt: number
}

/**
 * Counters in memory, at most `capacity` of them: the stock store keeps every key for ever. A new counter takes the place
 * of expired ones, else of the one that was counted in least recently.
 */
export const layer = (capacity: number = MAX_COUNTERS): Layer.Layer<RateLimiter.RateLimiterStore> =>
  Layer.sync(RateLimiter.RateLimiterStore, () => {
    // In the order in which they were counted in.
    const counters = new Map<string, Counter>()

    /** Removes from the front as long as counters are expired; the first one in any case where room is needed. */
    const makeRoom = (now: number) => {
      for (const [key, { expiresAt }] of counters) {
        if (expiresAt > now && counters.size < capacity) return
        counters.delete(key)
      }
    }

    const find = (key: string, now: number): Counter => {
      const found = counters.get(key)
      return found !== undefined && found.expiresAt > now ? found : { count: 0, expiresAt: now }
    }

    const keep = (key: string, counter: Counter, now: number) => {
      counters.delete(key)
      makeRoom(now)
      counters.set(key, counter)
    }

    return {
      fixedWindow: ({ key, limit, refillRate, tokens }) =>
        Effect.map(Clock.currentTimeMillis, (now) => {
          const before = find(key, now)
          const count = before.count + tokens
          const refused = limit !== undefined && count > limit
          if (tokens === 0 || refused) return [count, before.expiresAt - now]
          const expiresAt = before.expiresAt + Duration.toMillis(refillRate) * tokens
          keep(key, { count, expiresAt }, now)
          return [count, expiresAt - now]
        }),
      // The counter expires when all of its tokens have come back, so its end tells how many are missing.
      tokenBucket: ({ allowOverflow, key, limit, refillRate, tokens }) =>
        Effect.map(Clock.currentTimeMillis, (now) => {
          const refill = Duration.toMillis(refillRate)
          const before = find(key, now)
          const remaining = limit - Math.ceil((before.expiresAt - now) / refill) - tokens
          if (tokens > 0 && (allowOverflow || remaining >= 0)) {
            keep(key, { count: before.count + tokens, expiresAt: before.expiresAt + refill * tokens }, now)
          }
          return remaining
        })
    }
  })
