import * as PublicUrl from "@community-messaging/http-adapter/PublicUrl"
import { type AllowedOrigins, isOrigin } from "@community-messaging/http-adapter/server/AllowedOrigins"
import { Duration, Either, Option, Redacted } from "effect"

/*
 * Parsers of the texts of settings. Their error text follows "must be".
 */

/** Parses one of these words, in upper or lower case. */
export const oneOf =
  <const Choice extends string>(...choices: ReadonlyArray<Choice>) => (text: string): Either.Either<Choice, string> =>
    Either.fromNullable(choices.find((choice) => choice === text.toLowerCase()), () => `one of ${choices.join(", ")}`)

/** Parses a whole number in these bounds. */
export const wholeNumber = (minimum: number, maximum: number) => (text: string): Either.Either<number, string> =>
  /^\d{1,16}$/.test(text) && Number(text) >= minimum && Number(text) <= maximum
    ? Either.right(Number(text))
    : Either.left(`a whole number from ${minimum} to ${maximum}`)

/** Parses a switch. */
export const onOrOff = (text: string): Either.Either<boolean, string> =>
  Either.map(oneOf("on", "off", "true", "false")(text), (choice) => choice === "on" || choice === "true")

/** The least time that a clock in milliseconds can measure. */
const MIN_DURATION = Duration.millis(1)

/** The maximum of a setting that becomes a timer. Node's timers last less than 25 days; longer ones end at once. */
export const MAX_TIMER = Duration.days(24)

/** The maximum of a setting that is subtracted from dates. */
export const MAX_AGE = Duration.days(36_500)

/** Parses a length of time, up to a maximum. */
export const duration = (maximum: Duration.Duration) => (text: string): Either.Either<Duration.Duration, string> =>
  Either.fromOption(
    Option.filter(Duration.decodeUnknown(text), Duration.between({ minimum: MIN_DURATION, maximum })),
    () =>
      `a length of time from 1 millisecond to ${Duration.toDays(maximum)} days, ` +
      "in millis, seconds, minutes, hours or days, such as \"30 seconds\""
  )

/** Parses the base URL of the service. */
export const publicUrl = (text: string): Either.Either<string, string> =>
  Either.fromOption(PublicUrl.parse(text), () => PublicUrl.PUBLIC_URL_IN_WORDS)

/** Parses the base URL of a collector. Credentials belong in the headers. */
export const collectorUrl = (text: string): Either.Either<string, string> =>
  Either.fromOption(
    PublicUrl.baseUrl(text),
    () => "an http or https URL without user, query and fragment, such as http://127.0.0.1:4318"
  )

const isDecodable = (encoded: string): boolean => Option.isSome(Option.liftThrowable(decodeURIComponent)(encoded))

/** Parses the URL of a Redis server. It may hold a password, and the number of a database. */
export const redisUrl = (text: string): Either.Either<Redacted.Redacted, string> => {
  const url = /^rediss?:\/\/[^/]/.test(text) && URL.canParse(text) ? new URL(text) : undefined
  // Redis would refuse another number of a database, and its client would end the process. A query would change options of
  // the client, and could hold a password that messages show.
  if (url === undefined || !/^\/?\d{0,9}$/.test(url.pathname) || url.search !== "" || url.hash !== "") {
    return Either.left("a redis or rediss URL without query and fragment, such as redis://127.0.0.1:6379/1")
  }
  return isDecodable(url.username) && isDecodable(url.password)
    ? Either.right(Redacted.make(text))
    : Either.left("a URL whose user and password are percent-encoded: % is %25")
}

/** Parses `*`, or origins separated by spaces or commas. */
export const origins = (text: string): Either.Either<AllowedOrigins, string> => {
  if (text === "*") return Either.right("*")
  const given = text.split(/[\s,]+/)
  return given.every(isOrigin)
    ? Either.right(new Set(given))
    : Either.left(
      "* or a list of http and https origins without a path, such as https://chat.example https://admin.example:8443"
    )
}

/** Parses a value that may be off. */
export const orOff = <A>(parse: (text: string) => Either.Either<A, string>) => (text: string) =>
  text.toLowerCase() === "off"
    ? Either.right(Option.none<A>())
    : Either.mapBoth(parse(text), { onLeft: (requirement) => `off, or ${requirement}`, onRight: Option.some })
