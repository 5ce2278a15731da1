import { describe, expect, it } from "@effect/vitest"
import { Duration } from "effect"
import { retryDelay } from "../../src/scheduled-message/DeliveryAttempt.ts"

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
})
