import { describe, it } from "@effect/vitest"
import { assertLeft, assertRight } from "@effect/vitest/utils"
import { DateTime } from "effect"
import { ScheduledTimeOutOfRange, withinWindow } from "../../src/scheduled-message/ScheduleWindow.ts"

const NOW = DateTime.unsafeMake("2027-03-01T12:00:00Z")

describe("the time of a scheduled message", () => {
  it.each([
    ["a millisecond ahead", DateTime.add(NOW, { millis: 1 })],
    ["365 days ahead", DateTime.add(NOW, { hours: 365 * 24 })]
  ])("may be %s", (_, scheduledAt) => {
    assertRight(withinWindow(scheduledAt, NOW), scheduledAt)
  })

  it.each([
    ["in the past", DateTime.subtract(NOW, { millis: 1 })],
    ["this very moment", NOW],
    ["more than 365 days ahead", DateTime.add(NOW, { hours: 365 * 24, millis: 1 })]
  ])("cannot be %s", (_, scheduledAt) => {
    assertLeft(withinWindow(scheduledAt, NOW), new ScheduledTimeOutOfRange({ scheduledAt }))
  })
})
