import { PLACE, type Place } from "./TrieRoots.ts"

/*
 * Text as bytes. Each UTF-16 unit is encoded separately, as UTF-8 encodes a code point (CESU-8). So a text contains
 * another exactly if its bytes contain the other's bytes, halves of surrogate pairs included, like `String.includes`. A
 * byte of 0xFF, which no unit has, ends a field.
 */

/** The end of a field. A needle with it matches only at the end of a field. */
export const END = 0xff

/** The maximum number of bytes of a UTF-16 unit. */
export const BYTES_PER_UNIT = 3

/** Writes the text's bytes at `at`. Returns where they end. */
export const encodeInto = (bytes: Uint8Array, at: number, text: string): number => {
  let to = at
  for (let index = 0; index < text.length; index += 1) {
    const unit = text.charCodeAt(index)
    if (unit < 0x80) {
      bytes[to] = unit
      to += 1
    } else if (unit < 0x800) {
      bytes[to] = 0xc0 | (unit >>> 6)
      bytes[to + 1] = 0x80 | (unit & 0x3f)
      to += 2
    } else {
      bytes[to] = 0xe0 | (unit >>> 12)
      bytes[to + 1] = 0x80 | ((unit >>> 6) & 0x3f)
      bytes[to + 2] = 0x80 | (unit & 0x3f)
      to += 3
    }
  }
  return to
}

/** Returns whether the byte is the first of a unit. */
export const startsUnit = (byte: number): boolean => (byte & 0xc0) !== 0x80

const unitBefore = (bytes: Uint8Array, at: number): number => {
  const last = bytes[at - 1] ?? 0
  if (last < 0x80) return last
  const middle = bytes[at - 2] ?? 0
  if (middle >= 0xc0) return ((middle & 0x1f) << 6) | (last & 0x3f)
  return (((bytes[at - 3] ?? 0) & 0x0f) << 12) | ((middle & 0x3f) << 6) | (last & 0x3f)
}

const isLetterOrDigit = (codePoint: number): boolean => /[\p{L}\p{N}]/u.test(String.fromCodePoint(codePoint))

const UNKNOWN = 0
const LETTER_OR_DIGIT = 1
const NEITHER = 2

/** A cache for units of the basic plane. A regular expression takes 100 times as long. */
const known = new Uint8Array(0x1_0000)

const isLetterOrDigitUnit = (unit: number): boolean => {
  if (known[unit] === UNKNOWN) known[unit] = isLetterOrDigit(unit) ? LETTER_OR_DIGIT : NEITHER
  return known[unit] === LETTER_OR_DIGIT
}

/** Returns whether a word begins at `at` in the field that begins at `start`, like `MemberText.isWordStart`. */
export const isWordStart = (bytes: Uint8Array, start: number, at: number): boolean => {
  if (at === start) return true
  const unit = unitBefore(bytes, at)
  if (unit >= 0xdc00 && unit <= 0xdfff && at - 6 >= start) {
    const high = unitBefore(bytes, at - 3)
    if (high >= 0xd800 && high <= 0xdbff) {
      return !isLetterOrDigit(0x1_0000 + ((high & 0x3ff) << 10) + (unit & 0x3ff))
    }
  }
  return !isLetterOrDigitUnit(unit)
}

/** The maximum short length. A length of this or more is stored as this. */
export const MAX_SHORT_LENGTH = 255

/** The number of different short lengths. */
export const SHORT_LENGTHS = MAX_SHORT_LENGTH + 1

/** Returns the length as a byte: 255 means 255 or more. */
export const shortLength = (length: number): number => Math.min(length, MAX_SHORT_LENGTH)

/** Returns the length in code points of the field that begins at `start`. */
export const lengthAt = (bytes: Uint8Array, start: number): number => {
  let length = 0
  let isAfterHigh = false
  for (let at = start; bytes[at] !== END; at += 1) {
    const byte = bytes[at] ?? END
    if (!startsUnit(byte)) continue
    const second = bytes[at + 1] ?? 0
    const isLow = byte === 0xed && second >= 0xb0
    if (!(isLow && isAfterHigh)) length += 1
    isAfterHigh = byte === 0xed && second >= 0xa0 && second < 0xb0
  }
  return length
}

/** Returns where the field begins in the text of a member that begins at `start`. */
export const fieldStart = (bytes: Uint8Array, start: number, field: number): number => {
  let at = start
  for (let skipped = 0; skipped < field; skipped += 1) {
    while (bytes[at] !== END) at += 1
    at += 1
  }
  return at
}

/** Returns whether the text has the bytes of the needle up to `end` at this index. A match never crosses an `END`. */
const matchesAt = (text: Uint8Array, at: number, needle: Uint8Array, end: number): boolean => {
  for (let index = 0; index < end; index += 1) {
    if (text[at + index] !== needle[index]) return false
  }
  return true
}

/** Returns whether the field that begins at `start` has the bytes of the needle up to `end` at this kind of place. */
export const contains = (text: Uint8Array, start: number, place: Place, needle: Uint8Array, end: number): boolean => {
  if (place === PLACE.fieldStart) return matchesAt(text, start, needle, end)
  const first = needle[0]
  for (let at = start; text[at] !== END; at += 1) {
    if (text[at] === first && matchesAt(text, at, needle, end)) {
      if (place === PLACE.anywhere || isWordStart(text, start, at)) return true
    }
  }
  return false
}

/** Returns whether the bytes of the needle up to `end` occur in the text from `from` to `to`. */
export const occursIn = (text: Uint8Array, from: number, to: number, needle: Uint8Array, end: number): boolean => {
  const first = needle[0]
  const last = to - end
  for (let at = from; at < last; at += 1) {
    if (text[at] === first && matchesAt(text, at, needle, end)) return true
  }
  return false
}

/**
 * Returns the set of bytes up to `end` in 32 bits. Each Latin letter has its own bit. A text that lacks a bit of a
 * needle does not contain the needle.
 */
export const letterBits = (bytes: Uint8Array, end: number): number => {
  let bits = 0
  for (let index = 0; index < end; index += 1) bits |= 1 << ((bytes[index] ?? 0) & 31)
  return bits
}
