import {
  BoundedCounters,
  MAX_COUNTERS,
  RateLimitCounters,
  RateLimits
} from "@community-messaging/http-adapter/server/rate-limits/RateLimits"
import { describe, expect, it } from "@effect/vitest"
import { Duration, Effect, Layer } from "effect"
import { SettableClock } from "../../../../../test/SettableClock.ts"

const DAY = Duration.toMillis("1 day")

/** Runs the test with two consents a minute, on a clock that the test sets. */
const twoPerMinute = <A, E>(test: (clock: SettableClock) => Effect.Effect<A, E, RateLimits>) => {
  const clock = new SettableClock()
  return test(clock).pipe(
    Effect.provide(RateLimits.layer({ consent: { limit: 2, window: "1 minute" } })),
    Effect.withClock(clock)
  )
}

const count = Effect.flatMap(RateLimits, (limits) => limits.count("consent", "user:1"))

describe("A rate limit", () => {
  it.effect.each([DAY, -DAY])(
    "counts as before when the wall clock is set by %d milliseconds",
    (distance) =>
      twoPerMinute((clock) =>
        Effect.gen(function*() {
          yield* count
          yield* count
          clock.setWall(distance)
          const refusedFor = (seconds: string) => ({
            error: { code: "RATE_LIMITED", retry_after: 60 },
            headers: { "x-ratelimit-remaining": "0", "x-ratelimit-reset-after": seconds }
          })
          expect(yield* Effect.flip(count)).toMatchObject(refusedFor("60.000"))
          clock.pass("500 millis")
          expect(yield* Effect.flip(count)).toMatchObject(refusedFor("59.500"))
          clock.pass("59500 millis")
          expect((yield* count)()).toMatchObject({ "x-ratelimit-remaining": "1" })
        })
      )
  )

  it.effect("has nothing left if another server, with a higher limit, has counted more than it allows", () =>
    count.pipe(
      Effect.flip,
      Effect.provide(Layer.provide(
        RateLimits.layerWithoutCounters({ consent: { limit: 2, window: "1 minute" } }),
        Layer.succeed(RateLimitCounters, {
          count: () => Effect.succeed({ count: 5, expiresInMillis: 60_000, isCounted: false })
        })
      )),
      Effect.map((refused) => expect(refused).toMatchObject({ headers: { "x-ratelimit-remaining": "0" } }))
    ))

  it.effect("reports when the full quota is available again by the wall clock, and how long that takes", () =>
    twoPerMinute((clock) =>
      Effect.gen(function*() {
        clock.setWall(DAY)
        clock.pass("250 millis")
        expect((yield* count)()).toEqual({
          "x-ratelimit-limit": "2",
          "x-ratelimit-remaining": "1",
          "x-ratelimit-reset": String(Date.UTC(2027, 0, 2) / 1000 + 31),
          "x-ratelimit-reset-after": "30.000",
          "x-ratelimit-bucket": "consent"
        })
        clock.pass("500 millis")
        expect((yield* count)()).toMatchObject({ "x-ratelimit-reset-after": "59.500" })
      })
    ))
})

/** With ten per window, each count lasts a second. */
const TEN = { limit: 10, windowMillis: 10_000 }

const countTimes = (counters: BoundedCounters, key: string, times: number, now = 0) =>
  Array.from({ length: times }, () => counters.count(key, TEN, now)).at(-1)

/** The count of the key, without another one. */
const countOf = (counters: BoundedCounters, key: string, now: number) => counters.count(key, TEN, now, 0)

describe("Bounded counters", () => {
  it("count, and expire when the time is over", () => {
    const counters = new BoundedCounters()
    expect(countTimes(counters, "a", 1)).toEqual({ count: 1, expiresInMillis: 1_000, isCounted: true })
    expect(countTimes(counters, "a", 1)).toEqual({ count: 2, expiresInMillis: 2_000, isCounted: true })
    expect(countOf(counters, "a", 1_999)).toMatchObject({ count: 2, expiresInMillis: 1 })
    expect(countOf(counters, "a", 2_000)).toMatchObject({ count: 0, expiresInMillis: 0 })
    expect(countTimes(counters, "a", 1, 2_000)).toEqual({ count: 1, expiresInMillis: 1_000, isCounted: true })
  })

  it("do not count amounts beyond the limit", () => {
    const counters = new BoundedCounters()
    expect(countTimes(counters, "a", 10)).toMatchObject({ count: 10, isCounted: true })
    expect(countTimes(counters, "a", 2)).toEqual({ count: 10, expiresInMillis: 10_000, isCounted: false })
  })

  it("count several at once, which expire like several counts in turn", () => {
    const counters = new BoundedCounters()
    expect(counters.count("a", TEN, 0, 4)).toEqual({ count: 4, expiresInMillis: 4_000, isCounted: true })
    expect(counters.count("a", TEN, 0, 7)).toEqual({ count: 4, expiresInMillis: 4_000, isCounted: false })
  })

  it("last no longer than their window, also if the clock goes back", () => {
    const counters = new BoundedCounters()
    countTimes(counters, "a", 10, 1_000_000)
    expect(countTimes(counters, "a", 1, 0)).toEqual({ count: 1, expiresInMillis: 1_000, isCounted: true })
  })

  /** Counts all that there is room for beside two. */
  const fill = (counters: BoundedCounters, now: number) => {
    for (let index = 2; index < MAX_COUNTERS; index += 1) counters.count(String(index), TEN, now)
  }

  it("have a maximum number: the least recently used one is removed", () => {
    const counters = new BoundedCounters()
    countTimes(counters, "a", 5)
    countTimes(counters, "b", 5)
    fill(counters, 0)
    countTimes(counters, "a", 1)
    countTimes(counters, "c", 1)
    expect(countOf(counters, "a", 0).count).toBe(6)
    expect(countOf(counters, "b", 0).count).toBe(0)
  })

  it("make room by removing expired ones first", () => {
    const counters = new BoundedCounters()
    countTimes(counters, "a", 1)
    countTimes(counters, "b", 5)
    fill(counters, 1_500)
    countTimes(counters, "c", 1, 1_500)
    expect(countOf(counters, "b", 1_500).count).toBe(5)
  })
})
