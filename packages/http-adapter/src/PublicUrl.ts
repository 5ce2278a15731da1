import { Effect, Option } from "effect"

/** The rule for public URLs, in words. */
export const PUBLIC_URL_IN_WORDS =
  "an http or https URL without user, query, fragment and /v1, such as https://chat.example/api"

/** Returns the absolute URL without trailing slashes, so that paths can be appended; none if it has more than a path. */
export const baseUrl = (text: string): Option.Option<string> =>
  Option.liftPredicate(
    URL.canParse(text) ? new URL(text).href.replace(/\/+$/, "") : "",
    (base) => /^https?:\/\/[^/@?#]+(\/[^?#]*)?$/.test(base)
  )

/** Returns the address of the service as clients see it, without trailing slashes; none if it breaks the rule. */
export const parse = (text: string): Option.Option<string> =>
  Option.filter(baseUrl(text), (base) => !new URL(base).pathname.endsWith("/v1"))

/** The same, where another text is a mistake in the server's code. It may have a password, so the defect does not have it. */
export const parseOrDie = (text: string): Effect.Effect<string> =>
  Option.match(parse(text), {
    onNone: () => Effect.dieMessage(`publicUrl must be ${PUBLIC_URL_IN_WORDS}`),
    onSome: Effect.succeed
  })
