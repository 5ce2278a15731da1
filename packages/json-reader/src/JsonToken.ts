/*
 * The tokens of JSON (RFC 8259) in bytes. Each function returns the index after the token that begins at `start`,
 * `INVALID`, or `INCOMPLETE` if the bytes end before the token does.
 */

export const INVALID = -1
export const INCOMPLETE = -2

export const QUOTE = 0x22
export const BACKSLASH = 0x5c
/** The first character that a string may have without an escape. */
export const SPACE = 0x20
const MINUS = 0x2d
const POINT = 0x2e
const ZERO = 0x30

const codes = (text: string): ReadonlyArray<number> => Array.from(text, (character) => character.charCodeAt(0))

const LITERALS: ReadonlyMap<number, { readonly bytes: ReadonlyArray<number>; readonly value: boolean | null }> =
  new Map(
    ([["true", true], ["false", false], ["null", null]] as const).map(([text, value]) => [
      text.charCodeAt(0),
      { bytes: codes(text), value }
    ])
  )

const SHORT_ESCAPES = new Set(codes(`"\\/bfnrt`))
const HEXADECIMAL = new Set(codes("0123456789abcdefABCDEF"))
const U = 0x75

const isDigit = (byte: number | undefined): boolean => byte !== undefined && byte >= ZERO && byte <= 0x39
const isExponent = (byte: number | undefined): boolean => byte === 0x65 || byte === 0x45
const isSign = (byte: number | undefined): boolean => byte === MINUS || byte === 0x2b

/** Returns the value of the literal that begins with this byte; undefined if there is none. */
export const literalOf = (byte: number): boolean | null | undefined => LITERALS.get(byte)?.value

export const endOfLiteral = (bytes: Uint8Array, start: number, end: number): number => {
  const expected = LITERALS.get(bytes[start] ?? 0)?.bytes ?? []
  for (const [index, byte] of expected.entries()) {
    if (start + index >= end) return INCOMPLETE
    if (bytes[start + index] !== byte) return INVALID
  }
  return expected.length === 0 ? INVALID : start + expected.length
}

const endOfDigits = (bytes: Uint8Array, start: number, end: number): number => {
  let at = start
  while (at < end && isDigit(bytes[at])) at += 1
  return at
}

/** Returns the end of at least one digit. */
const endOfSomeDigits = (bytes: Uint8Array, start: number, end: number): number => {
  if (start >= end) return INCOMPLETE
  return isDigit(bytes[start]) ? endOfDigits(bytes, start + 1, end) : INVALID
}

/** A number at the end of the bytes is incomplete, because it may continue, unless they are the last. */
export const endOfNumber = (bytes: Uint8Array, start: number, end: number, isLast: boolean): number => {
  let at = bytes[start] === MINUS ? start + 1 : start
  at = at < end && bytes[at] === ZERO ? at + 1 : endOfSomeDigits(bytes, at, end)
  if (at < 0) return at
  if (at < end && bytes[at] === POINT) {
    at = endOfSomeDigits(bytes, at + 1, end)
    if (at < 0) return at
  }
  if (at < end && isExponent(bytes[at])) {
    at += 1
    if (at < end && isSign(bytes[at])) at += 1
    at = endOfSomeDigits(bytes, at, end)
    if (at < 0) return at
  }
  return at < end || isLast ? at : INCOMPLETE
}

/** `start` is the index of the backslash. */
export const endOfEscape = (bytes: Uint8Array, start: number, end: number): number => {
  if (start + 1 >= end) return INCOMPLETE
  const kind = bytes[start + 1] ?? 0
  if (kind !== U) return SHORT_ESCAPES.has(kind) ? start + 2 : INVALID
  for (let at = start + 2; at < start + 6; at += 1) {
    if (at >= end) return INCOMPLETE
    if (!HEXADECIMAL.has(bytes[at] ?? 0)) return INVALID
  }
  return start + 6
}

/** 1 for the bytes of a string that are neither a quote nor a backslash nor a control character. */
const IS_PLAIN = Uint8Array.from(
  { length: 256 },
  (_, byte) => byte === QUOTE || byte === BACKSLASH || byte < SPACE ? 0 : 1
)

/** Returns the end of the characters of a string that need no attention: the next quote, escape or control character. */
export const endOfPlainText = (bytes: Uint8Array, start: number, end: number): number => {
  let at = start
  while (at < end && IS_PLAIN[bytes[at] ?? 0] === 1) at += 1
  return at
}

/** Returns the end of the complete characters in UTF-8. Fewer than four bytes remain. */
export const endOfCompleteCharacters = (bytes: Uint8Array): number => {
  for (let at = bytes.length - 1; at >= 0 && at >= bytes.length - 3; at -= 1) {
    const byte = bytes[at] ?? 0
    if (byte < 0x80) return bytes.length
    if (byte >= 0xc0) {
      const length = byte >= 0xf0 ? 4 : byte >= 0xe0 ? 3 : 2
      return at + length > bytes.length ? at : bytes.length
    }
  }
  return bytes.length
}
