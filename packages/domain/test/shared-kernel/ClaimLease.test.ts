import { describe, expect, it } from "@effect/vitest"
import { DateTime, Duration, Effect, Option, TestClock } from "effect"
import { claimIfDue } from "../../src/shared-kernel/ClaimLease.ts"

const NOON = DateTime.unsafeMake("2027-03-01T12:00:00Z")

/**
 * Claims at noon, when the next item is due at that time. Returns the arguments of the claim; none if there was no
 * claim.
 */
const claimedWhenDue = (nextDueAt: Option.Option<DateTime.Utc>) =>
  Effect.gen(function*() {
    yield* TestClock.setTime(NOON.epochMillis)
    return yield* claimIfDue(
      Effect.succeed(nextDueAt),
      Duration.seconds(30),
      10,
      (options) => Effect.succeed([options])
    )
  })

describe("a claim on due work", () => {
  const claim = { now: NOON, leaseUntil: DateTime.add(NOON, { seconds: 30 }), limit: 10 }

  it.effect.each([
    { what: "nothing is due at all", nextDueAt: Option.none(), claims: [] },
    { what: "the next is due in a millisecond", nextDueAt: Option.some(DateTime.add(NOON, { millis: 1 })), claims: [] },
    { what: "the next is due now", nextDueAt: Option.some(NOON), claims: [claim] },
    { what: "the next is overdue", nextDueAt: Option.some(DateTime.subtract(NOON, { days: 1 })), claims: [claim] }
  ])("is made only if something is due: $what", ({ claims, nextDueAt }) =>
    Effect.gen(function*() {
      expect(yield* claimedWhenDue(nextDueAt)).toEqual(claims)
    }))
})
