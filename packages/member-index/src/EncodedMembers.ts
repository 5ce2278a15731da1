import { roleIdsOf } from "./MemberRows.ts"
import { END } from "./segment/EncodedText.ts"
import type { ByteColumn } from "./segment/GrowingColumn.ts"
import { FIRST_DIGITS, halvesOf, multiplyAndAdd } from "./segment/SnowflakeHalves.ts"

/*
 * Indexed members as the bytes of one value, which a statement of the storage concatenates. For rows, a driver makes a
 * JavaScript value for each column, which takes as long as the rest of reading a guild. From bytes, few texts need a string.
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
    if (this.#bytes[this.#at] !== ABSENT || this.#bytes[this.#at + 1] !== END) return false
    this.#at += 2
    return true
  }

  /** Reads the role ids, and passes their halves. An id may be passed twice. */
  readRoleIds(visit: (high: number, low: number) => void): boolean {
    const from = this.#at
    return this.#readCompactIds(visit) || this.#readJsonIds(from, visit)
  }

  readText(): string | undefined {
    const from = this.#at
    const end = this.#bytes.indexOf(END, from)
    if (end === -1) return undefined
    this.#at = end + 1
    return this.#bytes.toString("utf8", from, end)
  }

  /** Copies the text with its `END` to the column if it is ASCII. Returns its length. */
  copyAscii(to: ByteColumn): number | undefined {
    const bytes = this.#bytes
    const from = this.#at
    let end = from
    while ((bytes[end] ?? END) < 0x80) end += 1
    if (bytes[end] !== END) return undefined
    const shift = to.extend(end + 1 - from) - from
    const { values } = to
    for (let at = from; at <= end; at += 1) values[at + shift] = bytes[at] ?? END
    this.#at = end + 1
    return end - from
  }

  /** Returns the user id of the current member. */
  userId(): string {
    return this.#bytes.toString("latin1", this.#member, this.#bytes.indexOf(END, this.#member))
  }

  /** Reads an id that ends with this byte. */
  #readId(end: number): boolean {
    const bytes = this.#bytes
    const from = this.#at
    let at = from
    let first = 0
    for (; at < from + FIRST_DIGITS && isDigit(bytes[at]); at += 1) first = first * 10 + digit(bytes[at])
    let rest = 0
    let scale = 1
    for (; at < from + MAX_DIGITS_OF_ID && isDigit(bytes[at]); at += 1) {
      rest = rest * 10 + digit(bytes[at])
      scale *= 10
    }
    const { high, low } = multiplyAndAdd(first, scale, rest)
    this.high = high
    this.low = low
    this.#at = at + 1
    return at > from && bytes[at] === end && high <= MAX_HIGH && (at === from + 1 || bytes[from] !== ZERO)
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
    const roleIds = roleIdsOf(this.readText())
    for (const roleId of roleIds ?? []) {
      const { high, low } = halvesOf(roleId)
      visit(high, low)
    }
    return roleIds !== undefined
  }
}
