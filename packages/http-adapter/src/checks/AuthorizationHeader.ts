import { Option, Redacted } from "effect"

/**
 * The token of an `Authorization` header, provided that it names the scheme: in any case, one or more spaces before the
 * token (RFC 9110, 11.4).
 */
export const token = (header: Redacted.Redacted, scheme: "Bot" | "Admin"): Option.Option<Redacted.Redacted> => {
  const match = /^([^\s]+) +([^\s]+) *$/.exec(Redacted.value(header))
  return match?.[1]?.toLowerCase() === scheme.toLowerCase()
    ? Option.map(Option.fromNullable(match[2]), (text) => Redacted.make(text))
    : Option.none()
}
