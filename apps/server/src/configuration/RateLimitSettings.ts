import { DEFAULT_LIMITS, type Limit } from "@community-messaging/http-adapter/server/RateLimits"
import type { RateLimitBucket } from "@community-messaging/http-adapter/wire/RateLimitBucket"
import { Config, Duration, Either, Option, Record } from "effect"
import * as Setting from "./Setting.ts"

/** The most requests that a limit may allow in its window. */
const MAX_REQUESTS = 1_000_000

/** The longest window of a limit. */
const MAX_WINDOW = Duration.days(1)

const COUNTED: Readonly<Record<RateLimitBucket, string>> = {
  consent: "Consents of a user.",
  "scheduled-messages": "Lists of scheduled messages of a user.",
  "member-search": "Member searches of a user in a guild.",
  administration: "Administrative operations of an admin key.",
  "webhook-update": "Updates of a webhook.",
  "webhook-notification": "Notifications to a webhook.",
  authentication: "Failed authentications of an address.",
  global: "All requests of a user, an admin key or a webhook."
}

const UNITS = new Map([[1, "second"], [60, "minute"], [3600, "hour"]])

const format = ({ limit, window }: Limit): string => {
  const seconds = Duration.toSeconds(window)
  return `${limit}/${UNITS.get(seconds) ?? `${seconds} seconds`}`
}

/** `40/10 seconds`, or `60/minute` where the window is one of its unit. */
const parse = (text: string): Either.Either<Limit, string> => {
  const [, requests = "", window = ""] = /^(\d{1,7})\s*\/\s*(.+)$/.exec(text) ?? []
  const decoded = Duration.decodeUnknown(/^\d/.test(window) ? window : `1 ${window}`)
  const isWithin = (duration: Duration.Duration) =>
    Duration.greaterThan(duration, Duration.zero) && Duration.lessThanOrEqualTo(duration, MAX_WINDOW)
  const limit = Number(requests)
  return limit >= 1 && limit <= MAX_REQUESTS && Option.exists(decoded, isWithin)
    ? Either.right({ limit, window: Option.getOrElse(decoded, () => Duration.zero) })
    : Either.left("requests in a time of at most a day, such as \"40/10 seconds\" or \"60/minute\"")
}

const settings = Record.map(DEFAULT_LIMITS, (limit, bucket) =>
  Setting.make({
    name: `RATE_LIMIT_${bucket.toUpperCase().replaceAll("-", "_")}`,
    description: COUNTED[bucket],
    fallback: format(limit),
    parse
  }))

/** The settings of the rate limits, one for each bucket. */
export const RATE_LIMIT_SETTINGS: ReadonlyArray<Setting.Setting<Limit>> = Object.values(settings)

/** The limit of every bucket. */
export const rateLimits = Config.all(Record.map(settings, ({ config }) => config))
