import { contains, fieldStart, lengthAt, MAX_SHORT_LENGTH, occursIn } from "./EncodedText.ts"
import type { JoinPlace } from "./JoinPlace.ts"
import type { OrdinalSet } from "./OrdinalSet.ts"
import type { NumberColumns } from "./RadixOrder.ts"
import { compareHalves } from "./SnowflakeHalves.ts"
import type { SegmentText } from "./SuffixSorting.ts"
import type { SuffixTrie } from "./SuffixTrie.ts"
import type { Place } from "./TrieRoots.ts"
import type { UserOrder } from "./UserOrder.ts"

/** The kinds of values that filters select members by: a role, a join source, an invite code, and that it is a bot. */
export const KIND = { role: 0, source: 1, invite: 2, bot: 3 } as const
export type Kind = typeof KIND[keyof typeof KIND]

/** A value of a kind; `true` for a bot. */
export type Value = string | number | true

/** By kind and value: something of the members that have the value. */
export type ByValue<A> = ReadonlyArray<ReadonlyMap<Value, A>>

/**
 * Up to 65,536 members in join order. A member's ordinal is its rank by `joinedAt`, then by user id. A sealed segment
 * is immutable.
 */
export interface SealedSegment {
  readonly size: number
  /** In Unix seconds minus `joinedAtBase`. */
  readonly joinedAt: Uint32Array | Float64Array
  readonly joinedAtBase: number
  readonly ids: NumberColumns
  readonly text: SegmentText
  readonly trie: SuffixTrie
  readonly users: UserOrder
  /** By field: its short length by ordinal, see `shortLength`. */
  readonly lengths: ReadonlyArray<Uint8Array>
  readonly sets: ByValue<OrdinalSet>
}

/** The columns that make up a member, without the sets. */
export type MemberColumns = Pick<SealedSegment, "joinedAt" | "joinedAtBase" | "ids" | "text" | "lengths">

/** Returns the member's place in join order. */
export const placeAt = ({ ids, joinedAt, joinedAtBase }: MemberColumns, ordinal: number): JoinPlace => ({
  joinedAt: joinedAtBase + (joinedAt[ordinal] ?? 0),
  high: ids.high[ordinal] ?? 0,
  low: ids.low[ordinal] ?? 0
})

/** Returns the bytes of the member's fields with their `END` bytes. */
export const textOf = ({ text }: SealedSegment, ordinal: number): Uint8Array =>
  text.bytes.subarray(text.starts[ordinal], text.starts[ordinal + 1])

const fieldStartOf = ({ text }: SealedSegment, field: number, ordinal: number): number =>
  fieldStart(text.bytes, text.starts[ordinal] ?? 0, field)

/** Returns the length of the field in code points. */
export const fieldLength = (sealed: SealedSegment, field: number, ordinal: number): number => {
  const short = sealed.lengths[field]?.[ordinal] ?? 0
  return short < MAX_SHORT_LENGTH ? short : lengthAt(sealed.text.bytes, fieldStartOf(sealed, field, ordinal))
}

/** Returns the ordinal of the first member at or after this place in join order. */
export const rankOf = ({ ids, joinedAt, joinedAtBase, size }: SealedSegment, place: JoinPlace): number => {
  const wanted = place.joinedAt - joinedAtBase
  let from = 0
  let to = size
  while (from < to) {
    const middle = (from + to) >>> 1
    const byTime = (joinedAt[middle] ?? 0) - wanted
    const order = byTime === 0
      ? compareHalves(ids.high[middle] ?? 0, ids.low[middle] ?? 0, place.high, place.low)
      : byTime
    if (order < 0) from = middle + 1
    else to = middle
  }
  return from
}

/** Returns whether the field has the bytes of the needle up to `end` at this kind of place. */
export const fieldContains = (
  sealed: SealedSegment,
  field: number,
  place: Place,
  ordinal: number,
  needle: Uint8Array,
  end: number
): boolean => contains(sealed.text.bytes, fieldStartOf(sealed, field, ordinal), place, needle, end)

/** Returns whether any field has the bytes of the needle up to `end`. */
export const anyFieldContains = ({ text }: SealedSegment, ordinal: number, needle: Uint8Array, end: number): boolean =>
  occursIn(text.bytes, text.starts[ordinal] ?? 0, text.starts[ordinal + 1] ?? 0, needle, end)

/** The estimated overhead of an entry of a map in bytes: its slot, its key and the objects around its value. */
const BYTES_PER_ENTRY = 200

/** Returns the memory of a segment. */
export const bytesOf = (sealed: SealedSegment): number => {
  const sets = sealed.sets.flatMap((byValue) => [...byValue])
  return sealed.joinedAt.byteLength + sealed.ids.high.byteLength + sealed.ids.low.byteLength +
    sealed.text.bytes.byteLength + sealed.text.starts.byteLength + sealed.trie.bytes() +
    sealed.users.ordinals.byteLength +
    sealed.lengths.reduce((sum, short) => sum + short.byteLength, 0) +
    sets.reduce((sum, [value, set]) => sum + set.bytes() + String(value).length * 2 + BYTES_PER_ENTRY, 0)
}
