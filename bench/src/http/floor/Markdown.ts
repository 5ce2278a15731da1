import { codePoints } from "./Values.ts"

/*
 * Third-party text in messages: none of its markup is understood as such. Most text has none, and is taken as it stands.
 */

const ADDRESS =
  /(?<![\p{L}\p{N}.+-])https?:\/\/[\p{L}\p{N}](?:[\p{L}\p{M}\p{N}\-._~:/?#@!$&'()+,;=%]*[\p{L}\p{M}\p{N}/#=&%$+)-])?/iu
const MARKUP = /[\\`*_~|[\]<>]|:(?=\/\/)|(?<!#)#(?=#*(?:\s|$))|@(?=everyone|here)/iu
const MARKUP_OR_ADDRESS = new RegExp(`${ADDRESS.source}|${MARKUP.source}`, "giu")
const ALL_MARKUP = new RegExp(MARKUP.source, "giu")
const MAYBE_MARKUP = /[\\`*_~|[\]<>#@]|:\/\//
const MAYBE_UNCLEAN = /[^ -~]| {2}|^ | $/
const MAX_READ = 65_536

/** The text on one line, without what is invisible or would reorder its surroundings. */
const onOneLine = (text: string): string =>
  text.length <= MAX_READ && !MAYBE_UNCLEAN.test(text) ? text : text
    .slice(0, MAX_READ)
    .replace(/\p{Surrogate}/gu, "\ufffd")
    .replace(/\r\n?|[\v\f\u0085\u2028\u2029]/g, "\n")
    .replace(/(?![\n\t])\p{Cc}|[\u202a-\u202e\u2066-\u2069]/gu, "")
    .replace(/\s+/g, " ")
    .trim()

const truncated = (text: string, maximum: number): string =>
  text.length <= maximum || codePoints(text) <= maximum
    ? text
    : `${Array.from(text.slice(0, maximum * 2)).slice(0, maximum - 1).join("").trimEnd()}…`

/** A URL in a text, marked as such where it would be taken together with what stands behind it. */
const address = (match: string, behind: string): string => {
  let end = match.length
  if (!match.includes("(")) { while (match.charAt(end - 1) === ")") end -= 1 }
  const url = match.slice(0, end).replace(/@(?=everyone|here)/gi, "%40")
  return end === match.length && /^[.,:;!?]{0,3}(?:\s|$)/.test(behind) ? url : `<${url}>${match.slice(end)}`
}

const escapeMatch = (match: string, offset: number, text: string): string => {
  if (match === "@") return "@\u200b"
  if (match.length === 1) return `\\${match}`
  const end = offset + match.length
  return address(match, text.slice(end, end + 5))
}

/** As much of the text, escaped, as fits into so many code points. */
const fitted = (text: string, maximum: number, markup: RegExp): string => {
  if (text.length <= maximum && !MAYBE_MARKUP.test(text)) return text
  let kept = maximum
  for (;;) {
    const escaped = truncated(text, kept).replace(markup, escapeMatch)
    const excess = codePoints(escaped) - maximum
    if (excess <= 0 || kept <= 1) return escaped
    kept = Math.max(1, kept - Math.ceil(excess / 3))
  }
}

/** Text on one line. */
export const line = (text: string, maximum: number): string => fitted(onOneLine(text), maximum, MARKUP_OR_ADDRESS)

/** Text on one line for the label of a link. */
export const label = (text: string, maximum: number): string => fitted(onOneLine(text), maximum, ALL_MARKUP)

/** Text on one line where there is no markup: mentions of everybody are broken. */
export const unformatted = (text: string, maximum: number): string => {
  const shown = onOneLine(text)
  return truncated(shown.includes("@") ? shown.replace(/@(?=everyone|here)/gi, "@\u200b") : shown, maximum)
}

/** Text on one line in the type of code. */
export const code = (text: string, maximum: number): string => {
  const shown = unformatted(text, maximum - 2)
  return shown === "" || shown.includes("`") || shown.endsWith("\\") ? line(text, maximum) : `\`${shown}\``
}

/** A title: `[place] text`. */
export const title = (place: string, text: string): string => {
  const shown = label(place, 144)
  if (shown === "") return label(text, 256)
  const before = `[${shown}] `
  return before + label(text, 256 - codePoints(before))
}

const MAX_URL_LENGTH = 2048
const URL_PARTS = /^(https?:\/\/([a-z0-9._-]+)(?::([0-9]{1,5}))?)([/?#].*)?$/is
const HOST = /^[a-z0-9](?:[a-z0-9_-]*[a-z0-9])?(?:\.[a-z0-9](?:[a-z0-9_-]*[a-z0-9])?)*$/i
const FORBIDDEN = /%(?![0-9a-f]{2})|[^a-z0-9\-._~:/?#@!$&'()*+,;=%]/giu

/** Percent-encoded as a part of a URL. */
export const percentEncode = (text: string): string => encodeURIComponent(text.replace(/\p{Surrogate}/gu, "\ufffd"))

/** The URL if it is one that a message may link to. */
export const webUrl = (text: string | null | undefined): string | undefined => {
  const trimmed = text?.trim() ?? ""
  if (trimmed.length > MAX_URL_LENGTH || /\p{Cc}/u.test(trimmed)) return undefined
  const [, origin = "", host = "", port = "0", rest = ""] = URL_PARTS.exec(trimmed) ?? []
  if (!HOST.test(host) || Number(port) > 65_535) return undefined
  const url = origin + rest.replace(FORBIDDEN, percentEncode)
  return url.length > MAX_URL_LENGTH ? undefined : url
}

/** A link. */
export const link = (says: string, url: string): string =>
  `[${says}](${url.replace(/[()]/g, (parenthesis) => parenthesis === "(" ? "%28" : "%29")})`
