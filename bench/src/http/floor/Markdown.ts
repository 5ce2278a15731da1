import { codePoints } from "./Values.ts"

/*
 * Third-party text in messages: its markup is escaped. Most text has none, and is used unchanged.
 */

const MARKUP =
  /[\\`*_~|[\]<>]|(?<=\])\(|:(?=\/\/)|(?<!#)#(?=#*(?:\s|$))|&(?=#?\w+;)|@(?=everyone|here)|^(?:[-+=#]|\d{1,9}(?=[.)](?:\s|$)))/gim
const MAYBE_MARKUP = /[\\`*_~|[\]<>#@&]|:\/\/|^(?:[-+=]|\d{1,9}[.)])/
const MAYBE_UNCLEAN = /[^ -~]| {2}|^ | $/
const MAX_READ = 16_384

/** The text on one line, without invisible characters and those that reorder the text around them. */
const onOneLine = (text: string): string =>
  text.length <= MAX_READ && !MAYBE_UNCLEAN.test(text) ? text : text
    .slice(0, MAX_READ)
    .toWellFormed()
    .replace(/\r\n?|[\v\f\u0085\u2028\u2029]/g, "\n")
    .replace(/(?![\n\t])\p{Cc}|\p{Bidi_Control}/gu, "")
    .replace(/\s+/g, " ")
    .trim()

const truncated = (text: string, maximum: number): string =>
  text.length <= maximum || codePoints(text) <= maximum
    ? text
    : `${Array.from(text.slice(0, maximum * 2)).slice(0, maximum - 1).join("").trimEnd()}…`

const escapeMatch = (match: string): string => {
  if (match === "@") return "@\u200b"
  return /^\d/.test(match) ? `${match}\\` : `\\${match}`
}

/** The text, escaped, and cut to that many code points. */
const fitted = (text: string, maximum: number): string => {
  if (text.length <= maximum && !MAYBE_MARKUP.test(text)) return text
  let kept = maximum
  for (;;) {
    const escaped = truncated(text, kept).replace(MARKUP, escapeMatch)
    const excess = codePoints(escaped) - maximum
    if (excess <= 0 || kept <= 1) return escaped
    kept = Math.max(1, kept - Math.ceil(excess / 3))
  }
}

/** Text on one line. */
export const line = (text: string, maximum: number): string => fitted(onOneLine(text), maximum)

/** Text on one line for a place without markup; mentions of everybody are disabled. */
export const unformatted = (text: string, maximum: number): string => {
  const shown = onOneLine(text)
  return truncated(shown.includes("@") ? shown.replace(/@(?=everyone|here)/gi, "@\u200b") : shown, maximum)
}

/** Text on one line, formatted as code. */
export const code = (text: string, maximum: number): string => {
  const shown = unformatted(text, maximum - 2)
  return shown === "" || /`|\]\(|\\$/.test(shown) ? line(text, maximum) : `\`${shown}\``
}

/** A title: `[place] text`. */
export const title = (place: string, text: string): string => {
  const shown = line(place, 144)
  if (shown === "") return line(text, 256)
  const before = `[${shown}] `
  return before + line(text, 256 - codePoints(before))
}

const MAX_URL_LENGTH = 2048
const URL_PARTS = /^(https?:\/\/([a-z0-9._-]+)(?::([0-9]{1,5}))?)([/?#].*)?$/is
const HOST = /^[a-z0-9](?:[a-z0-9_-]*[a-z0-9])?(?:\.[a-z0-9](?:[a-z0-9_-]*[a-z0-9])?)*$/i
const FORBIDDEN = /%(?![0-9a-f]{2})|[^a-z0-9\-._~:/?#@!$&'()*+,;=%]/giu

/** Percent-encoded as a part of a URL. */
export const percentEncode = (text: string): string => encodeURIComponent(text.toWellFormed())

/** The URL if it is one that a message may link to. */
export const webUrl = (text: string | null | undefined): string | undefined => {
  const trimmed = text?.trim() ?? ""
  if (trimmed.length > MAX_URL_LENGTH || /\p{Cc}/u.test(trimmed)) return undefined
  const [, origin = "", host = "", port = "0", rest = ""] = URL_PARTS.exec(trimmed) ?? []
  if (!HOST.test(host) || Number(port) > 65_535) return undefined
  const url = origin + rest.replace(FORBIDDEN, percentEncode)
  return url.length > MAX_URL_LENGTH ? undefined : url
}

const ENCODED = new Map([["(", "%28"], [")", "%29"], ["*", "%2A"], [";", "%3B"], ["@", "%40"]])

/** A link. */
export const link = (says: string, url: string): string =>
  `[${says}](${
    url.replace(/[()*]|(?<=&#?\w{1,32});|@(?=everyone|here)/gi, (character) => ENCODED.get(character) ?? "")
  })`
