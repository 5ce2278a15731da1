import { DateTime, Duration, Either, Schema } from "effect"

/** How far in the future a message may be scheduled (API gaps, Scheduled messages). */
export const MAX_AHEAD = Duration.days(365)

/** The time is not in the future, or is more than 365 days in the future. */
export class ScheduledTimeOutOfRange extends Schema.TaggedError<ScheduledTimeOutOfRange>()("ScheduledTimeOutOfRange", {
  scheduledAt: Schema.DateTimeUtc
}) {
  override get message(): string {
    return `${DateTime.formatIso(this.scheduledAt)} must be in the future, by at most 365 days.`
  }
}

/** Returns the instant if it is in the future, by at most 365 days. */
export const withinWindow = (
  scheduledAt: DateTime.Utc,
  now: DateTime.Utc
): Either.Either<DateTime.Utc, ScheduledTimeOutOfRange> =>
  DateTime.greaterThan(scheduledAt, now) &&
    DateTime.lessThanOrEqualTo(scheduledAt, DateTime.addDuration(now, MAX_AHEAD))
    ? Either.right(scheduledAt)
    : Either.left(new ScheduledTimeOutOfRange({ scheduledAt }))
