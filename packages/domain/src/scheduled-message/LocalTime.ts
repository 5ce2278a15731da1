import { DateTime } from "effect"
import type { LocalDateTime, TimeZoneName } from "./ScheduledMessage.ts"

/**
 * Returns the instant at which clocks in the time zone show the local time. In a gap (clocks jump forward over it), the
 * time moves forward by the gap; in a fold (clocks show it twice), the earlier instant is used. Source: API gaps,
 * Scheduled messages.
 */
export const toInstant = (local: LocalDateTime, timezone: TimeZoneName): DateTime.Utc =>
  DateTime.toUtc(
    DateTime.unsafeMakeZoned(`${local}Z`, {
      // As a string, `GMT` and names that begin with `GMT` would be read as an offset.
      timeZone: DateTime.zoneUnsafeMakeNamed(timezone),
      adjustForTimeZone: true,
      disambiguation: "compatible"
    })
  )
