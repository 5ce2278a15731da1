import type { RoleId } from "@community-messaging/domain/guild/Role"
import { contains, fieldStart, lengthAt, MAX_SHORT_LENGTH, occursIn } from "./EncodedText.ts"
import type { OrdinalSet } from "./OrdinalSet.ts"
import type { SegmentText } from "./SuffixSorting.ts"
import type { SuffixTrie } from "./SuffixTrie.ts"
import type { Place } from "./TrieRoots.ts"
import { compareHalves } from "./UserIdHalves.ts"
import type { UserIdColumns, UserOrder } from "./UserOrder.ts"

/** The parts of a sealed segment. */
export interface SegmentParts {
  /** In Unix seconds minus `joinedAtBase`. */
  readonly joinedAt: Uint32Array | Float64Array
  readonly joinedAtBase: number
  readonly ids: UserIdColumns
  readonly text: SegmentText
  readonly trie: SuffixTrie
  readonly users: UserOrder
  /** By field: its short length by ordinal, see `shortLength`. */
  readonly lengths: ReadonlyArray<Uint8Array>
  readonly roles: ReadonlyMap<RoleId, OrdinalSet>
  readonly sources: ReadonlyMap<number, OrdinalSet>
  readonly invites: ReadonlyMap<string, OrdinalSet>
  readonly bots: OrdinalSet
}

/** The estimated overhead of an entry of a map in bytes: its slot, its key and the objects around its value. */
const BYTES_PER_ENTRY = 200

/**
 * Up to 65,536 members in join order. A member's ordinal is its rank by `joinedAt`, then by user id. A sealed segment
 * is immutable.
 */
export class SealedSegment {
  readonly size: number
  readonly ids: UserIdColumns
  readonly trie: SuffixTrie
  readonly users: UserOrder
  readonly lengths: ReadonlyArray<Uint8Array>
  readonly roles: ReadonlyMap<RoleId, OrdinalSet>
  readonly sources: ReadonlyMap<number, OrdinalSet>
  readonly invites: ReadonlyMap<string, OrdinalSet>
  readonly bots: OrdinalSet
  readonly bytes: number
  readonly #text: Uint8Array
  readonly #starts: Uint32Array
  readonly #joinedAt: Uint32Array | Float64Array
  readonly #joinedAtBase: number

  constructor(parts: SegmentParts) {
    this.size = parts.ids.high.length
    this.ids = parts.ids
    this.trie = parts.trie
    this.users = parts.users
    this.lengths = parts.lengths
    this.roles = parts.roles
    this.sources = parts.sources
    this.invites = parts.invites
    this.bots = parts.bots
    this.#text = parts.text.bytes
    this.#starts = parts.text.starts
    this.#joinedAt = parts.joinedAt
    this.#joinedAtBase = parts.joinedAtBase
    this.bytes = bytesOf(parts)
  }

  joinedAt(ordinal: number): number {
    return this.#joinedAtBase + (this.#joinedAt[ordinal] ?? 0)
  }

  /** Returns the bytes of the member's fields with their `END` bytes. */
  textOf(ordinal: number): Uint8Array {
    return this.#text.subarray(this.#starts[ordinal], this.#starts[ordinal + 1])
  }

  /** Returns the length of the field in code points. */
  lengthOf(field: number, ordinal: number): number {
    const short = this.lengths[field]?.[ordinal] ?? 0
    return short < MAX_SHORT_LENGTH ? short : lengthAt(this.#text, this.#fieldStart(field, ordinal))
  }

  /** Returns the ordinal of the first member at or after this time and user id in join order. */
  rankOf(joinedAt: number, high: number, low: number): number {
    const wanted = joinedAt - this.#joinedAtBase
    let from = 0
    let to = this.size
    while (from < to) {
      const middle = (from + to) >>> 1
      const byTime = (this.#joinedAt[middle] ?? 0) - wanted
      const order = byTime === 0
        ? compareHalves(this.ids.high[middle] ?? 0, this.ids.low[middle] ?? 0, high, low)
        : byTime
      if (order < 0) from = middle + 1
      else to = middle
    }
    return from
  }

  /** Returns the ordinal of the first member who joined after this time. */
  rankAfter(joinedAt: number): number {
    return this.rankOf(joinedAt, Infinity, 0)
  }

  /** Returns whether the field has the bytes of the needle up to `end` at this kind of place. */
  contains(field: number, place: Place, ordinal: number, needle: Uint8Array, end: number): boolean {
    return contains(this.#text, this.#fieldStart(field, ordinal), place, needle, end)
  }

  /** Returns whether any field has the bytes of the needle up to `end`. */
  containsInAnyField(ordinal: number, needle: Uint8Array, end: number): boolean {
    return occursIn(this.#text, this.#starts[ordinal] ?? 0, this.#starts[ordinal + 1] ?? 0, needle, end)
  }

  #fieldStart(field: number, ordinal: number): number {
    return fieldStart(this.#text, this.#starts[ordinal] ?? 0, field)
  }
}

const bytesOf = (parts: SegmentParts): number => {
  const sets = [parts.roles, parts.sources, parts.invites].flatMap((having) => [...having.values()])
  const codes = [...parts.invites.keys()].reduce((sum, code) => sum + code.length * 2, 0)
  return parts.joinedAt.byteLength + parts.ids.high.byteLength + parts.ids.low.byteLength +
    parts.text.bytes.byteLength + parts.text.starts.byteLength + parts.trie.bytes() + parts.users.bytes() +
    parts.lengths.reduce((sum, short) => sum + short.byteLength, 0) +
    sets.reduce((sum, set) => sum + set.bytes() + BYTES_PER_ENTRY, parts.bots.bytes() + codes)
}
