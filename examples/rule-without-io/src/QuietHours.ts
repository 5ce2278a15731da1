import { toInstant } from "@community-messaging/domain/scheduled-message/LocalTime"
import { LocalDateTime, type TimeZoneName } from "@community-messaging/domain/scheduled-message/ScheduledMessage"
import { DateTime } from "effect"

const BEGIN = 22
const END = 8

/** Returns when a message that is due now may be posted: at once, or at eight in the morning of the user's time zone. */
export const postableAt = (due: DateTime.Utc, timezone: TimeZoneName): DateTime.Utc => {
  const local = DateTime.unsafeMakeZoned(due, { timeZone: timezone })
  const { hours } = DateTime.toParts(local)
  if (hours >= END && hours < BEGIN) return due
  const morning = hours < END ? local : DateTime.add(local, { days: 1 })
  // The domain also converts eight o'clock correctly on days on which clocks change.
  return toInstant(LocalDateTime.make(`${DateTime.formatIsoDate(morning)}T0${END}:00:00`), timezone)
}
