import { parseRoleIds } from "./MemberRows.ts"
import { BYTES_PER_UNIT, encodeUnit, END } from "./segment/EncodedText.ts"
import type { ByteColumn } from "./segment/GrowingColumn.ts"
import { halvesOf, halvesOfBillions, REST_DIGITS } from "./segment/UserIdHalves.ts"

/*
 * Indexed members as the bytes of one value, which a statement of the storage concatenates. A driver makes a JavaScript value for
 * each column of each row, which takes longer than the rest of reading a guild; from bytes, no text needs a string.
 *
 * Each member has these fields, each ending with `END`: user id, `joinedAt`, 1 for a bot or 0, type of the join source, JSON
 * array of the role ids, invite code, the texts of username, global name and nickname. Texts are UTF-8. A missing source or
 * invite code is `ABSENT`; a missing name is empty.
 */

/** A byte in place of a missing value. UTF-8 does not have this byte. */
export const ABSENT = 0xfe

const MAX_DIGITS_OF_ID = 19
/** Ids fit signed 64-bit integers. */
const MAX_HIGH = 0x7fff_ffff

const ZERO = 0x30
const NINE = 0x39
const MINUS = 0x2d
const QUOTE = 0x22
const COMMA = 0x2c
const OPEN = 0x5b
const CLOSE = 0x5d

const isDigit = (byte: number | undefined): boolean => byte !== undefined && byte >= ZERO && byte <= NINE
const digit = (byte: number | undefined): number => (byte ?? 0) - ZERO

/** UTF-8 has four bytes for a character beyond the basic plane, `EncodedText` those of two units. */
const MORE_BYTES = 2 * BYTES_PER_UNIT - 4

/** Reads encoded members field by field. A method that does not find its field returns false or undefined. */
export class EncodedMembers {
  readonly #bytes: Buffer
  #at = 0
  /** Where the current member begins. */
  #member = 0
  /** The halves of the last id that was read. */
  high = 0
  low = 0
  /** When the current member joined, in Unix seconds. */
  joinedAt = 0

  constructor(bytes: Buffer) {
    this.#bytes = bytes
  }

  get isAtEnd(): boolean {
    return this.#at === this.#bytes.length
  }

  /** Reads the user id of the next member. */
  readUserId(): boolean {
    this.#member = this.#at
    return this.#readId(END)
  }

  readJoinedAt(): boolean {
    const joinedAt = this.readInteger()
    this.joinedAt = joinedAt ?? 0
    return joinedAt !== undefined
  }

  readInteger(): number | undefined {
    const bytes = this.#bytes
    const isNegative = bytes[this.#at] === MINUS
    const from = isNegative ? this.#at + 1 : this.#at
    let to = from
    let value = 0
    while (isDigit(bytes[to])) {
      value = value * 10 + digit(bytes[to])
      to += 1
    }
    this.#at = to + 1
    return to > from && bytes[to] === END && value <= Number.MAX_SAFE_INTEGER ? isNegative ? -value : value : undefined
  }

  /** Skips the field if its value is missing. */
  skipAbsent(): boolean {
    if (this.#bytes[this.#at] !== ABSENT) return false
    this.#at += 2
    return true
  }

  /** Reads the role ids, and passes their halves. An id may be passed twice. */
  readRoleIds(visit: (high: number, low: number) => void): boolean {
    const from = this.#at
    return this.#readCompactIds(visit) || this.#readJsonIds(from, visit)
  }

  readString(): string {
    const from = this.#at
    this.#at = this.#endOf(from) + 1
    return this.#bytes.toString("utf8", from, this.#at - 1)
  }

  /** Copies the text to the column as `EncodedText`, with its `END`. Returns its length in code points. */
  copyText(to: ByteColumn): number | undefined {
    const bytes = this.#bytes
    const from = this.#at
    let end = from
    let length = 0
    let pairs = 0
    for (let byte = bytes[end]; byte !== END; byte = bytes[end]) {
      if (byte === undefined) return undefined
      if ((byte & 0xc0) !== 0x80) length += 1
      if (byte >= 0xf0) pairs += 1
      end += 1
    }
    const start = to.extend(end - from + pairs * MORE_BYTES + 1)
    if (pairs === 0) copy(bytes, from, end, to.values, start)
    else copyWithPairs(bytes, from, end, to.values, start)
    to.values[to.length - 1] = END
    this.#at = end + 1
    return length
  }

  /** Returns the id of the current member, if it has one. */
  userId(): string {
    return this.#bytes.toString("latin1", this.#member, this.#endOf(this.#member))
  }

  #endOf(from: number): number {
    const end = this.#bytes.indexOf(END, from)
    return end === -1 ? this.#bytes.length : end
  }

  /** Reads an id that ends with this byte. */
  #readId(end: number): boolean {
    const bytes = this.#bytes
    const from = this.#at
    let to = from
    while (isDigit(bytes[to])) to += 1
    const split = Math.max(from, to - REST_DIGITS)
    let billions = 0
    for (let at = from; at < split; at += 1) billions = billions * 10 + digit(bytes[at])
    let rest = 0
    for (let at = split; at < to; at += 1) rest = rest * 10 + digit(bytes[at])
    const { high, low } = halvesOfBillions(billions, rest)
    this.high = high
    this.low = low
    this.#at = to + 1
    const digits = to - from
    return digits > 0 && digits <= MAX_DIGITS_OF_ID && high <= MAX_HIGH && bytes[to] === end &&
      (digits === 1 || bytes[from] !== ZERO)
  }

  /** Reads an array of ids without white space. */
  #readCompactIds(visit: (high: number, low: number) => void): boolean {
    const bytes = this.#bytes
    if (bytes[this.#at] !== OPEN) return false
    if (bytes[this.#at + 1] === CLOSE) this.#at += 1
    else {
      do {
        if (bytes[this.#at + 1] !== QUOTE) return false
        this.#at += 2
        if (!this.#readId(QUOTE)) return false
        visit(this.high, this.low)
      } while (bytes[this.#at] === COMMA)
    }
    this.#at += 2
    return bytes[this.#at - 2] === CLOSE && bytes[this.#at - 1] === END
  }

  #readJsonIds(from: number, visit: (high: number, low: number) => void): boolean {
    this.#at = from
    const roleIds = parseRoleIds(this.readString())
    for (const roleId of roleIds ?? []) {
      const { high, low } = halvesOf(roleId)
      visit(high, low)
    }
    return roleIds !== undefined
  }
}

const copy = (bytes: Uint8Array, from: number, end: number, target: Uint8Array, start: number): void => {
  for (let at = from, to = start; at < end; at += 1, to += 1) target[to] = bytes[at] ?? 0
}

/** Copies UTF-8, and encodes characters of four bytes as two UTF-16 units. */
const copyWithPairs = (bytes: Uint8Array, from: number, end: number, target: Uint8Array, start: number): void => {
  let to = start
  for (let at = from; at < end; at += 1) {
    const byte = bytes[at] ?? 0
    if (byte < 0xf0) {
      target[to] = byte
      to += 1
    } else {
      const [second, third, fourth] = [bytes[at + 1] ?? 0, bytes[at + 2] ?? 0, bytes[at + 3] ?? 0]
      const beyond = (((byte & 0x07) << 18) | ((second & 0x3f) << 12) | ((third & 0x3f) << 6) | (fourth & 0x3f)) -
        0x1_0000
      to = encodeUnit(target, to, 0xd800 | (beyond >>> 10))
      to = encodeUnit(target, to, 0xdc00 | (beyond & 0x3ff))
      at += 3
    }
  }
}
