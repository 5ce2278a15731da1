import * as BoundedRateLimiterStore from "@community-messaging/http-adapter/rate-limit/BoundedRateLimiterStore"
import { RateLimiter } from "@effect/experimental"
import { it } from "@effect/vitest"
import { Duration, Effect, flow, TestClock, TestContext } from "effect"
import { describe, expect } from "vitest"

const count = (key: string, tokens = 1, limit: number | undefined = 10) =>
  Effect.flatMap(
    RateLimiter.RateLimiterStore,
    (store) => store.fixedWindow({ key, tokens, refillRate: Duration.seconds(1), limit })
  )

/** With a store of that capacity, and a clock that stands still. */
const withStore = (capacity?: number) =>
  flow(Effect.provide(BoundedRateLimiterStore.layer(capacity)), Effect.provide(TestContext.TestContext))

describe("The bounded store of rate limits", () => {
  it.live("counts, and forgets when the window is over", () =>
    Effect.gen(function*() {
      expect(yield* count("a")).toEqual([1, 1_000])
      expect(yield* count("a")).toEqual([2, 2_000])
      yield* TestClock.adjust("1500 millis")
      expect(yield* count("a", 0)).toEqual([2, 500])
      yield* TestClock.adjust("500 millis")
      expect(yield* count("a")).toEqual([1, 1_000])
    }).pipe(withStore()))

  it.live("does not count what is over the limit", () =>
    Effect.gen(function*() {
      yield* count("a", 10)
      expect(yield* count("a")).toEqual([11, 10_000])
      expect(yield* count("a")).toEqual([11, 10_000])
    }).pipe(withStore()))

  it.live("keeps no more counters than it may: the one counted in least recently goes", () =>
    Effect.gen(function*() {
      yield* count("a", 5)
      yield* count("b", 5)
      yield* count("a", 1)
      yield* count("c", 1)
      expect((yield* count("a", 0))[0]).toBe(6)
      expect((yield* count("b", 0))[0]).toBe(0)
    }).pipe(withStore(2)))

  it.live("lets tokens come back one by one in a bucket", () =>
    Effect.gen(function*() {
      const store = yield* RateLimiter.RateLimiterStore
      const take = (tokens: number, allowOverflow = false) =>
        store.tokenBucket({ key: "a", tokens, limit: 3, refillRate: Duration.seconds(1), allowOverflow })
      expect(yield* take(3)).toBe(0)
      expect(yield* take(1)).toBe(-1)
      yield* TestClock.adjust("1 second")
      expect(yield* take(1)).toBe(0)
      expect(yield* take(2, true)).toBe(-2)
    }).pipe(withStore()))
})
