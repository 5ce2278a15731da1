import type { IndexLimits } from "../IndexLimits.ts"
import { CollectedMembers } from "./CollectedMembers.ts"
import { fieldStart, lengthAt } from "./EncodedText.ts"
import { type FieldLengths, orderByLength } from "./LengthOrder.ts"
import { OrdinalSet } from "./OrdinalSet.ts"
import * as RadixOrder from "./RadixOrder.ts"
import type { ByValue, SealedSegment, Value } from "./SealedSegment.ts"
import { type SegmentText, SortingSpace } from "./SuffixSorting.ts"
import { SuffixTrieBuilding } from "./SuffixTrieBuilding.ts"
import { UserOrder } from "./UserOrder.ts"

/** The cost of making a set in addition to its ordinals, measured in ordinals. */
const ENTRIES_PER_SET = 100
const ENTRIES_AT_ONCE = 50_000

/** Makes a sealed segment of the members. Pauses every few tenths of a millisecond. */
export function* seal(
  collected: CollectedMembers,
  space: SortingSpace,
  limits: IndexLimits
): Generator<undefined, SealedSegment> {
  const { byUser, members } = yield* inJoinOrder(collected)
  const { size } = members
  const ids = { high: members.high.values.slice(0, size), low: members.low.values.slice(0, size) }
  const text: SegmentText = {
    bytes: members.text.values.slice(0, members.text.length),
    starts: members.starts.values.slice(0, size + 1)
  }
  const { base: joinedAtBase, times: joinedAt } = compactTimes(members.joinedAt.values.subarray(0, size))
  yield
  const users = new UserOrder(byUser, ids)
  yield
  const fields: Array<FieldLengths> = []
  for (const [field, column] of members.lengths.entries()) {
    const short = column.values.slice(0, size)
    const lengthOf = (ordinal: number) => lengthAt(text.bytes, fieldStart(text.bytes, text.starts[ordinal] ?? 0, field))
    fields.push({ short, order: orderByLength(short, users.ordinals, lengthOf) })
    yield
  }
  const sets = yield* setsOf(members)
  const trie = yield* new SuffixTrieBuilding(text, fields, space, limits).build()
  const lengths = fields.map(({ short }) => short)
  return { size, joinedAt, joinedAtBase, ids, text, trie, users, lengths, sets }
}

/** Returns the members in join order, and their ordinals ordered by user id. */
function* inJoinOrder(
  members: CollectedMembers
): Generator<undefined, { readonly members: CollectedMembers; readonly byUser: Uint16Array }> {
  const { size } = members
  const all = new Uint16Array(size)
  for (let ordinal = 0; ordinal < size; ordinal += 1) all[ordinal] = ordinal
  const ids = { high: members.high.values.subarray(0, size), low: members.low.values.subarray(0, size) }
  const byUser = yield* RadixOrder.order(ids, all)
  const byJoining = yield* RadixOrder.order(halvesOfTimes(members.joinedAt.values.subarray(0, size)), byUser)
  if (byJoining.every((ordinal, rank) => ordinal === rank)) return { members, byUser }
  const moved = new Int32Array(size)
  for (let rank = 0; rank < size; rank += 1) moved[byJoining[rank] ?? 0] = rank
  const ordered = yield* members.inOrder(byJoining, moved)
  return { members: ordered, byUser: byUser.map((ordinal) => moved[ordinal] ?? 0) }
}

const TWO_TO_32 = 0x1_0000_0000

/** Times may be any safe integers, also negative ones. */
const LOWEST_HIGH = Math.floor(Number.MIN_SAFE_INTEGER / TWO_TO_32)

const halvesOfTimes = (times: Float64Array): RadixOrder.NumberColumns => {
  const high = new Uint32Array(times.length)
  const low = new Uint32Array(times.length)
  for (let ordinal = 0; ordinal < times.length; ordinal += 1) {
    const time = times[ordinal] ?? 0
    const upper = Math.floor(time / TWO_TO_32)
    high[ordinal] = upper - LOWEST_HIGH
    low[ordinal] = time - upper * TWO_TO_32
  }
  return { high, low }
}

/** Returns ascending times as 32-bit differences from the first one, unless they span more than 136 years. */
const compactTimes = (times: Float64Array): { readonly base: number; readonly times: Uint32Array | Float64Array } => {
  const base = times[0] ?? 0
  const range = (times[times.length - 1] ?? 0) - base
  if (range > 0xffff_ffff) return { base: 0, times: times.slice() }
  const compact = new Uint32Array(times.length)
  for (let ordinal = 0; ordinal < times.length; ordinal += 1) compact[ordinal] = (times[ordinal] ?? 0) - base
  return { base, times: compact }
}

function* setsOf({ sets, size }: CollectedMembers): Generator<undefined, ByValue<OrdinalSet>> {
  const sealed = sets.map(() => new Map<Value, OrdinalSet>())
  let worked = 0
  for (const [kind, byValue] of sets.entries()) {
    for (const [value, ordinals] of byValue) {
      sealed[kind]?.set(value, new OrdinalSet(ordinals.values.subarray(0, ordinals.length), size))
      worked += ordinals.length + ENTRIES_PER_SET
      if (worked > ENTRIES_AT_ONCE) {
        worked = 0
        yield
      }
    }
  }
  return sealed
}

/** Makes a segment without members, to which new members are added. */
export const emptySegment = (limits: IndexLimits): SealedSegment => {
  const sealing = seal(new CollectedMembers(0), new SortingSpace(), limits)
  for (;;) {
    const { done, value } = sealing.next()
    if (done === true) return value
  }
}
