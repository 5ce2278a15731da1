import { describe, expect, it } from "@effect/vitest"
import { DateTime, FastCheck, Schema } from "effect"
import { instantInWords, toInstant } from "../../src/scheduled-message/LocalTime.ts"
import { LocalDateTime, TimeZoneName } from "../../src/scheduled-message/ScheduledMessage.ts"

describe("a local date and time", () => {
  const isLocalDateTime = Schema.is(LocalDateTime)

  it.each([
    "2027-03-28T02:30",
    "2027-03-28T02:30:00",
    "2027-03-28T23:59:59.9",
    "2027-03-28T23:59:59.999",
    "2028-02-29T00:00:00"
  ])("may be written %s", (text) => {
    expect(isLocalDateTime(text)).toBe(true)
  })

  it.each([
    ["with an offset", "2027-03-28T02:30:00Z"],
    ["without a time", "2027-03-28"],
    ["with a space for the T", "2027-03-28 02:30:00"],
    ["with a month 13", "2027-13-01T00:00:00"],
    ["with 30 February", "2028-02-30T00:00:00"],
    ["with 29 February in a common year", "2027-02-29T00:00:00"],
    ["with 24 hours", "2027-01-01T24:00:00"],
    ["with 60 minutes", "2027-01-01T00:60:00"],
    ["with four decimals", "2027-01-01T00:00:00.1234"],
    ["with a year of five digits", "12027-01-01T00:00:00"],
    ["with white space around", " 2027-01-01T00:00:00"],
    ["as an empty text", ""]
  ])("cannot be written %s", (_, text) => {
    expect(isLocalDateTime(text)).toBe(false)
  })
})

describe("the name of a time zone", () => {
  const isTimeZoneName = Schema.is(TimeZoneName)

  it.each(["UTC", "Europe/Berlin", "America/Argentina/Buenos_Aires", "Etc/GMT+1", "Asia/Kathmandu"])(
    "may be %s",
    (name) => {
      expect(isTimeZoneName(name)).toBe(true)
    }
  )

  it.each(["", " ", "Berlin", "Europe/Atlantis", "+01:00", "-0530", "UTC+1", "local", "Europe/Berlin "])(
    "cannot be %j",
    (name) => {
      expect(isTimeZoneName(name)).toBe(false)
    }
  )
})

const instant = (local: string, timezone: string): string =>
  DateTime.formatIso(toInstant(LocalDateTime.make(local), TimeZoneName.make(timezone)))

describe("the instant of a local time", () => {
  it("is found without seconds", () => {
    expect(instant("2027-07-15T12:00", "Asia/Kathmandu")).toBe("2027-07-15T06:15:00.000Z")
  })

  it.each(["GMT", "GMT0", "GMT+0", "GMT-0", "Greenwich", "Etc/GMT"])("is found in %s, a name of UTC", (timezone) => {
    expect(instant("2027-07-15T12:00:00", timezone)).toBe("2027-07-15T12:00:00.000Z")
  })

  it.each([
    ["the beginning of", "2027-03-28T02:00:00", "Europe/Berlin", "2027-03-28T01:00:00.000Z"],
    ["within", "2027-03-28T02:30:00", "Europe/Berlin", "2027-03-28T01:30:00.000Z"],
    ["within one west of Greenwich", "2027-03-14T02:30:00", "America/New_York", "2027-03-14T07:30:00.000Z"],
    ["within one of half an hour", "2026-10-04T02:15:00", "Australia/Lord_Howe", "2026-10-03T15:45:00.000Z"],
    ["within a skipped day,", "2011-12-30T12:00:00", "Pacific/Apia", "2011-12-30T22:00:00.000Z"]
  ])("moves forward by the gap: %s", (_, local, timezone, expected) => {
    expect(instant(local, timezone)).toBe(expected)
  })

  const HALF_HOUR = 1_800_000
  const showsThere = (millis: number, timezone: string): string =>
    DateTime.formatIsoOffset(DateTime.unsafeMakeZoned(millis, { timeZone: timezone })).slice(
      0,
      "2027-03-28T02:30:00.000".length
    )

  it.prop(
    "is the first at which clocks in the zone show that time",
    {
      millis: FastCheck.integer({ min: Date.UTC(2024, 0), max: Date.UTC(2030, 0) }),
      timezone: FastCheck.constantFrom(
        "UTC",
        "Europe/Berlin",
        "America/New_York",
        "America/Nuuk",
        "Africa/Casablanca",
        "Antarctica/Troll",
        "Asia/Kathmandu",
        "Australia/Lord_Howe",
        "Pacific/Chatham"
      )
    },
    ({ millis, timezone }) => {
      const local = showsThere(millis, timezone)
      const upToThreeHoursBefore = Array.from({ length: 7 }, (_, index) => millis - index * HALF_HOUR)
      const first = Math.min(...upToThreeHoursBefore.filter((earlier) => showsThere(earlier, timezone) === local))
      expect(toInstant(LocalDateTime.make(local), TimeZoneName.make(timezone)).epochMillis).toBe(first)
    },
    { fastCheck: { numRuns: 500 } }
  )

  it.each([
    ["Europe/Berlin", "2027-10-31T00:00:00Z"],
    ["Antarctica/Troll", "2027-10-31T01:00:00Z"],
    ["Australia/Lord_Howe", "2027-04-03T15:00:00Z"]
  ])("is the first also in the hours in which clocks of %s go back", (timezone, around) => {
    const start = DateTime.unsafeMake(around).epochMillis
    for (let minute = -240; minute <= 240; minute += 10) {
      const millis = start + minute * 60_000
      const local = showsThere(millis, timezone)
      const earlier = [2, 1, 0.5].map((hours) => millis - hours * 3_600_000)
      const first = earlier.find((candidate) => showsThere(candidate, timezone) === local) ?? millis
      expect([local, toInstant(LocalDateTime.make(local), TimeZoneName.make(timezone)).epochMillis]).toEqual([
        local,
        first
      ])
    }
  })
})

describe("the instant of a local time, in words", () => {
  it.each([
    ["2027-10-31T02:30:00", "2027-10-31T00:30:00.000Z, when clocks in Europe/Berlin first show 2027-10-31T02:30:00"],
    ["2027-07-15T12:00", "2027-07-15T10:00:00.000Z, when clocks in Europe/Berlin first show 2027-07-15T12:00"],
    [
      "2027-03-28T02:30:00",
      "2027-03-28T01:30:00.000Z: clocks in Europe/Berlin skip 2027-03-28T02:30:00, which moves forward by the gap"
    ]
  ])("has the reason why it is that one: %s", (local, words) => {
    expect(instantInWords(LocalDateTime.make(local), TimeZoneName.make("Europe/Berlin"))).toBe(words)
  })
})
