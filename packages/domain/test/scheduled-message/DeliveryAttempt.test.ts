import { describe, expect, it } from "@effect/vitest"
import { Duration, FastCheck } from "effect"
import { MAX_ATTEMPTS, retryDelay } from "../../src/scheduled-message/DeliveryAttempt.ts"

const seconds = (attempts: number, jitter: number): number => Duration.toSeconds(retryDelay(attempts, jitter))

describe("the delay before another attempt", () => {
  it("is a second after the first, and doubles with each", () => {
    expect([1, 2, 3, 4].map((attempts) => seconds(attempts, 0.5))).toEqual([1, 2, 4, 8])
  })

  it("is between half and one and a half of that", () => {
    expect([seconds(1, 0), seconds(1, 1)]).toEqual([0.5, 1.5])
    expect([seconds(4, 0), seconds(4, 1)]).toEqual([4, 12])
  })

  it("is a whole number of milliseconds, as all times are stored", () => {
    expect(seconds(1, 0.12345)).toBe(0.623)
  })

  it.prop(
    "grows with the random factor and is never zero",
    {
      attempts: FastCheck.integer({ min: 1, max: MAX_ATTEMPTS }),
      jitter: FastCheck.double({ min: 0, max: 1, noNaN: true })
    },
    ({ attempts, jitter }) => {
      expect(seconds(attempts, jitter)).toBeGreaterThanOrEqual(0.5)
      expect(seconds(attempts, jitter)).toBeLessThanOrEqual(seconds(attempts, 1))
    }
  )
})
