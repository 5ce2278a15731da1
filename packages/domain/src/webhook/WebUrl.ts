import { Brand, Option } from "effect"
import { type Text, textOf } from "./NotificationField.ts"

/**
 * An absolute, well-formed `http` or `https` URL (RFC 3986) in ASCII, safe as a link in a message. Other schemes, user
 * information, and hosts other than a name or an IPv4 address are rejected on purpose.
 */
export type WebUrl = string & Brand.Brand<"WebUrl">
const WebUrl = Brand.nominal<WebUrl>()

/** The maximum length of a URL in a message in characters. */
export const MAX_LENGTH = 2048

/** Scheme, host and port, then path, query and fragment. */
const PARTS = /^(https?:\/\/([a-z0-9._-]+)(?::([0-9]{1,5}))?)([/?#].*)?$/is

/**
 * Characters that are not allowed in path, query and fragment, including a percent sign that encodes nothing. Without the flag
 * `i`, with which `ſ` and the Kelvin sign would be letters of ASCII.
 */
const FORBIDDEN = /%(?![0-9A-Fa-f]{2})|[^A-Za-z0-9\-._~:/?#@!$&'()*+,;=%]/gu

const isHost = (host: string): boolean =>
  host.split(".").every((label) => /^[a-z0-9]([a-z0-9_-]*[a-z0-9])?$/i.test(label))

const percentEncode = (text: string): string => encodeURIComponent(text.toWellFormed())

/**
 * Parses third-party text, and percent-encodes characters that are not allowed after the host; none if it is not a valid
 * URL, or if there is no text.
 */
export const fromText = (text: Text): Option.Option<WebUrl> => {
  const trimmed = textOf(text)
  if (trimmed.length > MAX_LENGTH || /\p{Cc}/u.test(trimmed)) return Option.none()
  const [, origin = "", host = "", port = "0", rest = ""] = PARTS.exec(trimmed) ?? []
  if (!isHost(host) || Number(port) > 65_535) return Option.none()
  const url = `${origin}${rest.replace(FORBIDDEN, percentEncode)}`
  return url.length > MAX_LENGTH ? Option.none() : Option.some(WebUrl(url))
}

/** Appends a path to the URL. The path is plain text: characters that are not allowed in it are percent-encoded. */
export const appendPath = (base: WebUrl, path: string): Option.Option<WebUrl> =>
  fromText(`${base.replace(/[/?#]+$/, "")}/${path.split("/").map(percentEncode).join("/")}`)
