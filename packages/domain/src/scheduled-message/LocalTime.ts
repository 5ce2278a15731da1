import { DateTime } from "effect"
import type { LocalDateTime, TimeZoneName } from "./ScheduledMessage.ts"

const zonedAt = (local: LocalDateTime, timezone: TimeZoneName): DateTime.Zoned =>
  DateTime.unsafeMakeZoned(`${local}Z`, {
    // As a string, `GMT` and names that begin with `GMT` would be read as an offset.
    timeZone: DateTime.zoneUnsafeMakeNamed(timezone),
    adjustForTimeZone: true,
    disambiguation: "compatible"
  })

/**
 * Returns the instant at which clocks in the time zone show the local time. In a gap (clocks jump forward over it), the
 * time moves forward by the gap; in a fold (clocks show it twice), the earlier instant is used. Source: API gaps,
 * Scheduled messages.
 */
export const toInstant = (local: LocalDateTime, timezone: TimeZoneName): DateTime.Utc =>
  DateTime.toUtc(zonedAt(local, timezone))

/** Describes the instant of the local time for people who expected another one, with the reason. */
export const instantInWords = (local: LocalDateTime, timezone: TimeZoneName): string => {
  const zoned = zonedAt(local, timezone)
  const isShown = DateTime.unsafeMake(`${local}Z`).epochMillis === DateTime.toDate(zoned).getTime()
  return isShown
    ? `${DateTime.formatIso(zoned)}, when clocks in ${timezone} first show ${local}`
    : `${DateTime.formatIso(zoned)}: clocks in ${timezone} skip ${local}, which moves forward by the gap`
}
