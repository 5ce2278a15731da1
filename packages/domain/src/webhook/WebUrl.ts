import { Brand, Option } from "effect"

/**
 * An absolute `http` or `https` URL, well-formed (RFC 3986) and in ASCII, that a message may link to. Other schemes,
 * user information before the host, and hosts other than a name or an IPv4 address are left out on purpose.
 */
export type WebUrl = string & Brand.Brand<"WebUrl">
const WebUrl = Brand.nominal<WebUrl>()

/** The most characters of a URL in a message. */
export const MAX_LENGTH = 2048

/** Scheme, host and port, then path, query and fragment. */
const PARTS = /^(https?:\/\/([a-z0-9._-]+)(?::([0-9]{1,5}))?)([/?#].*)?$/is

/** What may not stand in path, query and fragment, a percent sign that encodes nothing included. */
const FORBIDDEN = /%(?![0-9a-f]{2})|[^a-z0-9\-._~:/?#@!$&'()*+,;=%]/giu

const isHost = (host: string): boolean =>
  host.split(".").every((label) => /^[a-z0-9]([a-z0-9_-]*[a-z0-9])?$/i.test(label))

const percentEncode = (text: string): string => encodeURIComponent(text.replace(/\p{Surrogate}/gu, "\ufffd"))

/** The URL as a third party gave it, stray characters behind its host percent-encoded; none where it is no such URL. */
export const fromText = (text: string): Option.Option<WebUrl> => {
  const trimmed = text.trim()
  if (trimmed.length > MAX_LENGTH || /\p{Cc}/u.test(trimmed)) return Option.none()
  const [, origin = "", host = "", port = "0", rest = ""] = PARTS.exec(trimmed) ?? []
  if (!isHost(host) || Number(port) > 65_535) return Option.none()
  const url = `${origin}${rest.replace(FORBIDDEN, percentEncode)}`
  return url.length > MAX_LENGTH ? Option.none() : Option.some(WebUrl(url))
}

/** The page at that path below another one. The path is plain text: what is not allowed in a path is encoded. */
export const below = (base: WebUrl, path: string): Option.Option<WebUrl> =>
  fromText(`${base.replace(/[/?#]+$/, "")}/${path.split("/").map(percentEncode).join("/")}`)
