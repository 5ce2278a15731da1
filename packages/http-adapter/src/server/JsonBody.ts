import { Either } from "effect"
import { InvalidJson } from "../wire/ApiError.ts"

const BACKSLASH = "\\"
const SURROGATE_ESCAPE = /\\u[dD][89a-fA-F]/

/** Returns the code unit of the escape `\uXXXX` at this index; `NaN` if there is none. */
const escapedUnit = (text: string, at: number): number =>
  text[at] === BACKSLASH && text[at + 1] === "u" ? Number.parseInt(text.slice(at + 2, at + 6), 16) : Number.NaN

const isHighSurrogate = (unit: number): boolean => unit >= 0xd800 && unit <= 0xdbff
const isLowSurrogate = (unit: number): boolean => unit >= 0xdc00 && unit <= 0xdfff

/** Replaces escaped lone surrogates by U+FFFD, because they cannot be encoded in UTF-8. */
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
 * JavaScript reads JSON numbers as doubles. 9223372036854775807, the largest 64-bit integer, and 9223372036854775808,
 * which is out of range, become the same double. The functions below distinguish them by their digits.
 */

/** The double that the largest and, with a minus sign, the smallest 64-bit integer are read as. */
const BOUND = 2 ** 63

/** Matches the first digits of every number that is read as ±2^63, with the decimal point anywhere. */
const NEAR_BOUND = new RegExp(Array.from("922337203685477").join("\\.?"))

/** The minimum length of a numeral that is read as ±2^63: that of `9223372036854776e3`. */
const SHORTEST = 18

/** An exponent with which every mantissa except zero is infinite, even one with many leading zeros. */
const INFINITE = "e99999999"

const MAX_DIGITS = "9223372036854775807"
const MIN_DIGITS = "9223372036854775808"

const QUOTE = "\"".charCodeAt(0)
const MINUS = "-".charCodeAt(0)

const isDigit = (unit: number): boolean => unit >= 0x30 && unit <= 0x39

/** Returns whether the code unit may occur in a numeral: a digit or one of `-`, `+`, `.`, `e`, `E`. */
const isOfNumeral = (unit: number): boolean =>
  isDigit(unit) || unit === MINUS || unit === 0x2b || unit === 0x2e || unit === 0x45 || unit === 0x65

/** Returns whether a number that is read as ±2^63 is out of the 64-bit range, by its digits before the exponent. */
const isBeyond = (mantissa: string): boolean => {
  const written = mantissa.replace(/[-.]/g, "")
  const digits = written.slice(written.search(/[1-9]/))
  // All numbers of this magnitude have nineteen digits before the decimal point, so the point can be ignored.
  const whole = digits.slice(0, 19)
  const last = mantissa.startsWith("-") ? MIN_DIGITS : MAX_DIGITS
  return whole > last || (whole === last && /[1-9]/.test(digits.slice(19)))
}

/**
 * Returns the numeral, or one that is read as infinity if the number is out of the 64-bit range but its double is not.
 * It keeps the digits, so that the result is valid JSON exactly if the numeral is.
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
 * Replaces every number that is out of the 64-bit range, but is read as in range, by one that is read as infinity.
 * Strings do not change. The result is valid JSON exactly if the text is.
 */
const infiniteBeyondInt64 = (text: string): string => {
  // Almost all bodies have no such number, so they are not scanned.
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
 * Parses JSON (RFC 8259) in UTF-8. A byte order mark is skipped. The last of duplicate keys wins. `__proto__` is an
 * ordinary member. An integer out of the 64-bit range becomes infinite.
 */
export const parse = (bytes: Uint8Array): Either.Either<unknown, InvalidJson> =>
  Either.try({
    try: (): unknown => JSON.parse(infiniteBeyondInt64(withoutLoneSurrogates(decoder.decode(bytes)))),
    catch: () => new InvalidJson()
  })
