import { quotaHeaders, RateLimits } from "@community-messaging/http-adapter/server/rate-limits/RateLimits"
import { describe, expect, it } from "@effect/vitest"
import { Duration, Effect, Option } from "effect"
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
          expect(Option.map(yield* count, ({ remaining }) => remaining)).toEqual(Option.some(1))
        })
      )
  )

  it.effect("reports when the full quota is available again by the wall clock, and how long that takes", () =>
    twoPerMinute((clock) =>
      Effect.gen(function*() {
        clock.setWall(DAY)
        clock.pass("250 millis")
        const headers = Option.map(yield* count, quotaHeaders)
        expect(Option.getOrThrow(headers)).toEqual({
          "x-ratelimit-limit": "2",
          "x-ratelimit-remaining": "1",
          "x-ratelimit-reset": String(Date.UTC(2027, 0, 2) / 1000 + 31),
          "x-ratelimit-reset-after": "30.000",
          "x-ratelimit-bucket": "consent"
        })
        clock.pass("500 millis")
        expect(Option.map(yield* count, quotaHeaders)).toMatchObject({ value: { "x-ratelimit-reset-after": "59.500" } })
      })
    ))
})
