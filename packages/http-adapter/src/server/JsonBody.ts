import { Either } from "effect"
import { InvalidJson } from "../wire/ApiError.ts"

const BACKSLASH = "\\"
const SURROGATE_ESCAPE = /\\u[dD][89a-fA-F]/

/** The code unit that an escape `\uXXXX` at that place stands for; not a number where there is no such escape. */
const escapedUnit = (text: string, at: number): number =>
  text[at] === BACKSLASH && text[at + 1] === "u" ? Number.parseInt(text.slice(at + 2, at + 6), 16) : Number.NaN

const isHighSurrogate = (unit: number): boolean => unit >= 0xd800 && unit <= 0xdbff
const isLowSurrogate = (unit: number): boolean => unit >= 0xdc00 && unit <= 0xdfff

/** The text with every escaped surrogate that has no partner replaced by U+FFFD: it can not be written in UTF-8. */
const withoutLoneSurrogates = (text: string): string => {
  if (!SURROGATE_ESCAPE.test(text)) return text
  let result = ""
  let copied = 0
  let at = text.indexOf(BACKSLASH)
  while (at !== -1) {
    const unit = escapedUnit(text, at)
    if (isHighSurrogate(unit) && isLowSurrogate(escapedUnit(text, at + 6))) {
      at += 12
    } else if (isHighSurrogate(unit) || isLowSurrogate(unit)) {
      result += `${text.slice(copied, at)}\\ufffd`
      at += 6
      copied = at
    } else {
      at += 2
    }
    at = text.indexOf(BACKSLASH, at)
  }
  return result + text.slice(copied)
}

/*
 * JSON numbers are read as doubles, which do not tell 2^63 from its neighbours: 9223372036854775807, the largest 64-bit
 * integer, and 9223372036854775808, which is none, are the same double. So they are told apart by their digits.
 */

/** The double that the largest and the smallest 64-bit integer are read as, but for the sign. */
const BOUND = 2 ** 63

/** What the digits of every number begin with that is read as ±2^63, wherever its point is. */
const NEAR_BOUND = new RegExp(Array.from("922337203685477").join("\\.?"))

/** The least characters of a numeral that is read as ±2^63: those of `9223372036854776e3`. */
const SHORTEST = 18

/** An exponent that makes every mantissa infinite that is not zero, however many zeros it begins with. */
const INFINITE = "e99999999"

const MAX_DIGITS = "9223372036854775807"
const MIN_DIGITS = "9223372036854775808"

const QUOTE = "\"".charCodeAt(0)
const MINUS = "-".charCodeAt(0)

const isDigit = (unit: number): boolean => unit >= 0x30 && unit <= 0x39

/** Whether the unit may stand in a numeral: a digit or one of `-`, `+`, `.`, `e`, `E`. */
const isOfNumeral = (unit: number): boolean =>
  isDigit(unit) || unit === MINUS || unit === 0x2b || unit === 0x2e || unit === 0x45 || unit === 0x65

/** Whether a number that is read as ±2^63 is beyond a 64-bit integer, by its digits up to the exponent. */
const isBeyond = (mantissa: string): boolean => {
  const written = mantissa.replace(/[-.]/g, "")
  const digits = written.slice(written.search(/[1-9]/))
  // Of this magnitude, all have nineteen digits before the point: where the point is written does not matter.
  const whole = digits.slice(0, 19)
  const last = mantissa.startsWith("-") ? MIN_DIGITS : MAX_DIGITS
  return whole > last || (whole === last && /[1-9]/.test(digits.slice(19)))
}

/**
 * The numeral, or one that reads as infinity where the number is beyond a 64-bit integer although its double is not. It keeps
 * the digits, so that it is JSON where the numeral is, and only there.
 */
const infiniteBeyond = (numeral: string): string => {
  if (Math.abs(Number(numeral)) !== BOUND) return numeral
  const [mantissa = ""] = numeral.split(/e/i, 1)
  return isBeyond(mantissa) ? `${mantissa}${INFINITE}` : numeral
}

const endOfString = (text: string, start: number): number => {
  let at = start + 1
  while (at < text.length && text.charCodeAt(at) !== QUOTE) {
    at += text.charCodeAt(at) === BACKSLASH.charCodeAt(0)
      ? 2
      : 1
  }
  return at + 1
}

const endOfNumeral = (text: string, start: number): number => {
  let at = start + 1
  while (isOfNumeral(text.charCodeAt(at))) at += 1
  return at
}

/**
 * The text with every number that is beyond a 64-bit integer, and reads as if it was not, replaced by one that reads as
 * infinity. Strings stay as they are, and it is JSON where the text is, and only there.
 */
const infiniteBeyondInt64 = (text: string): string => {
  // What nearly all bodies need no look at their parts for.
  if (!NEAR_BOUND.test(text)) return text
  let result = ""
  let copied = 0
  let at = 0
  while (at < text.length) {
    const unit = text.charCodeAt(at)
    if (unit === QUOTE) {
      at = endOfString(text, at)
    } else if (isDigit(unit) || unit === MINUS) {
      const end = endOfNumeral(text, at)
      if (end - at >= SHORTEST) {
        result += text.slice(copied, at) + infiniteBeyond(text.slice(at, end))
        copied = end
      }
      at = end
    } else {
      at += 1
    }
  }
  return result + text.slice(copied)
}

const decoder = new TextDecoder("utf-8", { fatal: true })

/**
 * The value that the bytes stand for: JSON (RFC 8259) in UTF-8. A byte order mark is skipped; of duplicate keys the last
 * wins; a member named `__proto__` is a member like any other. An integer beyond 64 bits is infinite.
 */
export const parse = (bytes: Uint8Array): Either.Either<unknown, InvalidJson> =>
  Either.try({
    try: (): unknown => JSON.parse(infiniteBeyondInt64(withoutLoneSurrogates(decoder.decode(bytes)))),
    catch: () => new InvalidJson()
  })
