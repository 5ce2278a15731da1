import { parseMoment } from "@community-messaging/domain/shared-kernel/Moment"
import { describe, expect, it } from "@effect/vitest"
import { DateTime, Option } from "effect"

describe("a date and time with its offset", () => {
  it.each([
    ["2027-03-28T09:30:00Z", "2027-03-28T09:30:00.000Z"],
    ["2027-03-28T09:30Z", "2027-03-28T09:30:00.000Z"],
    ["2028-02-29T00:15:00+02:00", "2028-02-28T22:15:00.000Z"],
    ["2027-03-28T09:30:00.5+02:00", "2027-03-28T07:30:00.500Z"],
    ["0000-01-01T00:00:00Z", "0000-01-01T00:00:00.000Z"],
    ["9999-12-31T23:59:59.999Z", "9999-12-31T23:59:59.999Z"]
  ])("may be written %s", (text, moment) => {
    expect(Option.map(parseMoment(text), DateTime.formatIso)).toEqual(Option.some(moment))
  })

  it.each([
    ["without a time", "2024-01-15"],
    ["without its offset", "2024-01-15T00:00:00"],
    ["in another form", "15 Jan 2024"],
    ["with a month 13", "2024-13-01T00:00:00Z"],
    ["with a day that the month does not have", "2027-02-29T09:30:00Z"],
    ["with an hour 24", "2027-03-28T24:00:00Z"],
    ["with a year of more than four digits", "+010000-01-01T00:00:00Z"],
    ["with a year before 0000", "-000001-12-31T23:59:59Z"],
    ["with an offset by which it is after the year 9999 in UTC", "9999-12-31T23:30:00-01:00"],
    ["with an offset by which it is before the year 0000 in UTC", "0000-01-01T00:30:00+01:00"]
  ])("cannot be written %s", (_, text) => {
    expect(parseMoment(text)).toEqual(Option.none())
  })
})
