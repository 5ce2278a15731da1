import { DEFAULT_LIMITS, type Limit } from "@community-messaging/http-adapter/server/rate-limits/RateLimits"
import type { RateLimitBucket } from "@community-messaging/http-adapter/wire/RateLimitBucket"
import { Config, Duration, Either, Option, Record } from "effect"
import * as Setting from "./Setting.ts"

/** The maximum number of requests in a window. More would be practically unlimited. */
const MAX_REQUESTS = 1_000_000

/** The bounds of a window. Counters last that long, and have a precision of one millisecond. */
const MIN_WINDOW = Duration.millis(1)
const MAX_WINDOW = Duration.days(1)

const COUNTED: Readonly<Record<RateLimitBucket, string>> = {
  consent: "Consent requests per user.",
  "scheduled-messages": "Lists of scheduled messages per user.",
  "member-search": "Member searches per user and guild.",
  administration: "Administrative operations per admin key.",
  "webhook-update": "Updates per webhook.",
  "webhook-avatar": "Avatars per webhook. Each started MiB of a new avatar counts.",
  "webhook-notification": "Notifications per webhook.",
  body: "Bodies per user, admin key or webhook. Each started 256 KiB of a body counts, except the first.",
  authentication: "Failed authentications per address.",
  global: "All requests per user, admin key or webhook."
}

const UNITS = new Map([[1, "second"], [60, "minute"], [3600, "hour"]])

const format = ({ limit, window }: Limit): string => {
  const seconds = Duration.toSeconds(window)
  return `${limit}/${UNITS.get(seconds) ?? `${seconds} seconds`}`
}

/** Parses `40/10 seconds`, or `60/minute` for a window of one unit. */
const parse = (text: string): Either.Either<Limit, string> => {
  const [, requests = "0", window = ""] = /^(\d{1,7})\s*\/\s*(.+)$/.exec(text) ?? []
  const limit = Number(requests)
  return Duration.decodeUnknown(/^\d/.test(window) ? window : `1 ${window}`).pipe(
    Option.filter(Duration.between({ minimum: MIN_WINDOW, maximum: MAX_WINDOW })),
    Option.filter(() => limit >= 1 && limit <= MAX_REQUESTS),
    Option.map((decoded) => ({ limit, window: decoded })),
    Either.fromOption(() =>
      `1 to ${MAX_REQUESTS} requests in a time of at most a day, such as "40/10 seconds" or "60/minute"`
    )
  )
}

/** The settings of the rate limits, one per bucket. */
export const rateLimitSettings = Record.map(DEFAULT_LIMITS, (limit, bucket) =>
  Setting.make({
    name: `RATE_LIMIT_${bucket.toUpperCase().replaceAll("-", "_")}`,
    description: COUNTED[bucket],
    fallback: format(limit),
    parse
  }))

/** The limit of every bucket. */
export const rateLimits = Config.all(rateLimitSettings)
