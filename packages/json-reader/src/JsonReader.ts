import { Either } from "effect"
import { isUtf8 } from "node:buffer"
import * as Int64 from "./Int64.ts"
import * as JsonToken from "./JsonToken.ts"
import { KeptText } from "./KeptText.ts"
import { ProjectedValue } from "./ProjectedValue.ts"
import type { Projection } from "./Projection.ts"

/** The maximum depth of arrays and objects. */
export const MAX_DEPTH = 64

/** The maximum length of a number, in characters. */
export const MAX_NUMBER_LENGTH = 4096

/** Why JSON is refused: it is not JSON in UTF-8, or exceeds `MAX_DEPTH` or `MAX_NUMBER_LENGTH`. */
export type RefusalReason = "malformed" | "too deep" | "number too long"

/** The token that may come next. */
const EXPECTED = {
  VALUE: 0,
  ITEM_OR_END: 1,
  NAME_OR_END: 2,
  NAME: 3,
  COLON: 4,
  COMMA_OR_END: 5,
  NOTHING: 6
} as const

const NO_BYTES = Buffer.alloc(0)
const BYTE_ORDER_MARK = [0xef, 0xbb, 0xbf]

const startsWithMark = (bytes: Buffer): boolean => BYTE_ORDER_MARK.every((byte, index) => bytes[index] === byte)

/**
 * Reads JSON (RFC 8259) in UTF-8 as it arrives, and keeps only its projection. The rest is checked and discarded, so that
 * it needs memory only for what its schema reads, and time in proportion to its bytes. A byte order mark is skipped. The
 * last of several members with one name counts. An integer out of the 64-bit range becomes infinite.
 */
export class JsonReader {
  readonly #value: ProjectedValue
  #expected: (typeof EXPECTED)[keyof typeof EXPECTED] = EXPECTED.VALUE
  /** Whether each of the open arrays and objects is an object, outermost first. */
  readonly #isObject: Array<boolean> = []
  /** Whether the bytes are within a string, and whether that is the name of a member. */
  #isInText = false
  #isInName = false
  /** The string, if it is kept. */
  #text: KeptText | undefined
  /** The bytes of a token that is incomplete. */
  #rest = NO_BYTES
  #isStarted = false
  #refusal: RefusalReason | undefined
  #keptBytes = 0

  constructor(projection: Projection) {
    this.#value = new ProjectedValue(projection)
  }

  /** The number of bytes of all strings that are kept. */
  get keptBytes(): number {
    return this.#keptBytes
  }

  /** Reads the next bytes. Does nothing after a refusal. */
  push(bytes: Uint8Array): void {
    if (this.#refusal !== undefined) return
    const piece = Buffer.isBuffer(bytes) ? bytes : Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length)
    const all = this.#rest.length === 0 ? piece : Buffer.concat([this.#rest, piece])
    const end = JsonToken.endOfCompleteCharacters(all)
    if (!isUtf8(end === all.length ? all : all.subarray(0, end))) return this.#refuse("malformed")
    const start = this.#isStarted || !startsWithMark(all) ? 0 : BYTE_ORDER_MARK.length
    this.#isStarted ||= end > 0
    const read = this.#read(all, start, end, false)
    // A copy, so that a few bytes do not keep all others in memory.
    this.#rest = read === all.length ? NO_BYTES : Buffer.from(all.subarray(read))
    // Strings are read as they arrive.
    if (this.#rest.length > MAX_NUMBER_LENGTH) this.#refuse("number too long")
  }

  /** Ends the JSON. Returns its projection. */
  end(): Either.Either<unknown, RefusalReason> {
    if (this.#refusal === undefined) {
      const read = this.#read(this.#rest, 0, this.#rest.length, true)
      if (read < this.#rest.length || this.#expected !== EXPECTED.NOTHING) this.#refuse("malformed")
    }
    return this.#refusal === undefined ? Either.right(this.#value.root) : Either.left(this.#refusal)
  }

  #refuse(reason: RefusalReason): void {
    this.#refusal ??= reason
  }

  /** Reads tokens. Returns the index of the first incomplete one. */
  #read(bytes: Buffer, start: number, end: number, isLast: boolean): number {
    let at = start
    while (at < end && this.#refusal === undefined) {
      const next = this.#isInText ? this.#inText(bytes, at, end) : this.#token(bytes, at, end, isLast)
      if (next === JsonToken.INCOMPLETE) return at
      if (next === JsonToken.INVALID) {
        this.#refuse("malformed")
        return at
      }
      at = next
    }
    return at
  }

  #token(bytes: Buffer, at: number, end: number, isLast: boolean): number {
    const byte = bytes[at] ?? 0
    switch (byte) {
      case 0x20:
      case 0x09:
      case 0x0a:
      case 0x0d:
        return at + 1
      case JsonToken.QUOTE:
        return this.#expected === EXPECTED.NAME || this.#expected === EXPECTED.NAME_OR_END
          ? this.#beginName(bytes, at, end)
          : this.#beginText(bytes, at, end)
      case 0x2c: // comma
        return this.#comma(at)
      case 0x3a: // colon
        if (this.#expected !== EXPECTED.COLON) return JsonToken.INVALID
        this.#expected = EXPECTED.VALUE
        return at + 1
      case 0x7b: // {
      case 0x5b: // [
        return this.#begin(byte === 0x7b, at)
      case 0x7d: // }
      case 0x5d: // ]
        return this.#endContainer(byte === 0x7d, at)
      default:
        return this.#scalar(bytes, at, end, isLast)
    }
  }

  #comma(at: number): number {
    if (this.#expected !== EXPECTED.COMMA_OR_END) return JsonToken.INVALID
    this.#expected = this.#isObject.at(-1) === true ? EXPECTED.NAME : EXPECTED.VALUE
    return at + 1
  }

  #expectsValue(): boolean {
    return this.#expected === EXPECTED.VALUE || this.#expected === EXPECTED.ITEM_OR_END
  }

  #endValue(): void {
    this.#expected = this.#isObject.length === 0 ? EXPECTED.NOTHING : EXPECTED.COMMA_OR_END
  }

  #begin(isObject: boolean, at: number): number {
    if (!this.#expectsValue()) return JsonToken.INVALID
    if (this.#isObject.length === MAX_DEPTH) {
      this.#refuse("too deep")
      return at
    }
    this.#value.begin(isObject)
    this.#isObject.push(isObject)
    this.#expected = isObject ? EXPECTED.NAME_OR_END : EXPECTED.ITEM_OR_END
    return at + 1
  }

  #endContainer(isObject: boolean, at: number): number {
    const isOpen = this.#isObject.at(-1) === isObject
    const isEmpty = this.#expected === (isObject ? EXPECTED.NAME_OR_END : EXPECTED.ITEM_OR_END)
    if (!isOpen || (!isEmpty && this.#expected !== EXPECTED.COMMA_OR_END)) return JsonToken.INVALID
    this.#value.end()
    this.#isObject.pop()
    this.#endValue()
    return at + 1
  }

  /** Reads the name of a member, or begins it if it has escapes or is incomplete. */
  #beginName(bytes: Buffer, at: number, end: number): number {
    const close = JsonToken.endOfPlainText(bytes, at + 1, end)
    if (close < end && bytes[close] === JsonToken.QUOTE) {
      this.#value.name(bytes, at + 1, close)
      this.#expected = EXPECTED.COLON
      return close + 1
    }
    const { tooLongName } = this.#value
    this.#isInText = true
    this.#isInName = true
    // One code unit more, because no character is cut.
    this.#text = tooLongName === undefined ? undefined : new KeptText(tooLongName + 1)
    return at + 1
  }

  /** Reads a string, or begins it if it has escapes, is too long or is incomplete. */
  #beginText(bytes: Buffer, at: number, end: number): number {
    if (!this.#expectsValue()) return JsonToken.INVALID
    const projection = this.#value.next()
    const close = JsonToken.endOfPlainText(bytes, at + 1, end)
    const length = close - at - 1
    if (close < end && bytes[close] === JsonToken.QUOTE && length <= (projection?.maxTextLength ?? length)) {
      if (projection !== undefined) {
        this.#value.keep(bytes.toString("utf8", at + 1, close))
        this.#keptBytes += length
      }
      this.#endValue()
      return close + 1
    }
    this.#isInText = true
    this.#text = projection === undefined ? undefined : new KeptText(projection.maxTextLength)
    return at + 1
  }

  /** Reads a string up to its end, or to the end of the bytes. */
  #inText(bytes: Buffer, start: number, end: number): number {
    let hasEscapes = false
    let at = JsonToken.endOfPlainText(bytes, start, end)
    while (at < end && bytes[at] === JsonToken.BACKSLASH) {
      const next = JsonToken.endOfEscape(bytes, at, end)
      if (next === JsonToken.INVALID) return next
      if (next === JsonToken.INCOMPLETE) break
      hasEscapes = true
      at = JsonToken.endOfPlainText(bytes, next, end)
    }
    const byte = at < end ? bytes[at] : undefined
    if (byte !== undefined && byte < JsonToken.SPACE) return JsonToken.INVALID
    const keptBytes = this.#text?.add(bytes, start, at, hasEscapes) ?? 0
    if (!this.#isInName) this.#keptBytes += keptBytes
    if (byte === JsonToken.QUOTE) {
      this.#endText()
      return at + 1
    }
    return at === start ? JsonToken.INCOMPLETE : at
  }

  #endText(): void {
    const text = this.#text?.end()
    this.#isInText = false
    this.#text = undefined
    if (this.#isInName) {
      this.#isInName = false
      this.#expected = EXPECTED.COLON
      const name = Buffer.from(text ?? "")
      return this.#value.name(name, 0, name.length)
    }
    if (text !== undefined) this.#value.keep(text)
    this.#endValue()
  }

  /** Reads a number, true, false or null. */
  #scalar(bytes: Buffer, at: number, end: number, isLast: boolean): number {
    if (!this.#expectsValue()) return JsonToken.INVALID
    const literal = JsonToken.literalOf(bytes[at] ?? 0)
    const next = literal === undefined
      ? JsonToken.endOfNumber(bytes, at, end, isLast)
      : JsonToken.endOfLiteral(bytes, at, end)
    if (next < 0) return next
    if (next - at > MAX_NUMBER_LENGTH) {
      this.#refuse("number too long")
      return at
    }
    if (this.#value.next() !== undefined) {
      this.#value.keep(literal === undefined ? Int64.valueOf(bytes.toString("latin1", at, next)) : literal)
    }
    this.#endValue()
    return next
  }
}
