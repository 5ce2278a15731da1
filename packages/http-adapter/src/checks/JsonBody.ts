import { Either } from "effect"
import { InvalidJson } from "../definition/ApiError.ts"
import { infiniteBeyondInt64 } from "./Int64Numerals.ts"

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
