import { DateTime, Option, ParseResult, Schema } from "effect"

/** A date and time of RFC 3339, whose offset is required: to take UTC would hide a mistake. Seconds may be left out. */
const MOMENT = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(:\d{2}(\.\d+)?)?(Z|[+-]\d{2}:\d{2})$/

/** The characters of a date and time up to the minute. */
const UP_TO_MINUTE = 16

/** Whether the date and the hour exist: `Date` takes 30 February for 2 March, and 24:00 for the next day. */
const exists = (text: string): boolean => {
  const local = text.slice(0, UP_TO_MINUTE)
  return Option.exists(DateTime.make(`${local}Z`), (moment) => DateTime.formatIso(moment).startsWith(local))
}

/** Whether RFC 3339 has the year: in UTC, an offset may lead to the year before 0000 or after 9999. */
const hasYearOfFourDigits = (moment: DateTime.Utc): boolean => /^\d{4}-/.test(DateTime.formatIso(moment))

/** Parses a date and time with its offset, which ISO 8601 in UTC can show. */
export const parseMoment = (text: string): Option.Option<DateTime.Utc> =>
  MOMENT.test(text) && exists(text) ? Option.filter(DateTime.make(text), hasYearOfFourDigits) : Option.none()

/** The rule of `parseMoment`, in words. */
const MOMENT_IN_WORDS =
  "must be a date and time with its offset, such as 2027-03-28T09:30:00Z, in the years 0000 to 9999 of UTC"

/** A moment. Encoded, it is a date and time with any offset, and in UTC with milliseconds when it is written. */
export const Moment = Schema.transformOrFail(Schema.String, Schema.DateTimeUtcFromSelf, {
  strict: true,
  decode: (text, _, ast) => ParseResult.fromOption(parseMoment(text), () => new ParseResult.Type(ast, text)),
  encode: (moment) => ParseResult.succeed(DateTime.formatIso(moment))
}).annotations({ message: () => MOMENT_IN_WORDS })
