import { DateTime, Duration, Either, Schema } from "effect"

/** The furthest ahead that a message may be scheduled (API gaps, Scheduled messages). */
export const MAX_AHEAD = Duration.days(365)

/** The time is not in the future, or more than 365 days ahead. */
export class ScheduledTimeOutOfRange extends Schema.TaggedError<ScheduledTimeOutOfRange>()("ScheduledTimeOutOfRange", {
  scheduledAt: Schema.DateTimeUtc
}) {}

/** The instant, provided that it lies in the future and at most 365 days ahead. */
export const withinWindow = (
  scheduledAt: DateTime.Utc,
  now: DateTime.Utc
): Either.Either<DateTime.Utc, ScheduledTimeOutOfRange> =>
  DateTime.greaterThan(scheduledAt, now) &&
    DateTime.lessThanOrEqualTo(scheduledAt, DateTime.addDuration(now, MAX_AHEAD))
    ? Either.right(scheduledAt)
    : Either.left(new ScheduledTimeOutOfRange({ scheduledAt }))
