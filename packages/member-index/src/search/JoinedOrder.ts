import type { UserId } from "@community-messaging/domain/account/User"
import * as Bitset from "../segment/Bitset.ts"
import type { ChangedMember } from "../segment/ChangedMember.ts"
import { comparePlaces } from "../segment/JoinPlace.ts"
import { userIdOf } from "../segment/SnowflakeHalves.ts"
import type { SegmentHits } from "./SegmentHits.ts"

/*
 * Pages in join order, which is the order of segments and of ordinals. Whole segments are skipped by the number of
 * their hits, then words by the number of their bits. Only members on the page are read.
 */

/** Returns up to `limit` hits from `offset` on in join order, the latest first if `isDescending`. */
export const pageByJoining = (
  segments: ReadonlyArray<SegmentHits>,
  isDescending: boolean,
  offset: number,
  limit: number
): ReadonlyArray<UserId> => {
  const page: Array<UserId> = []
  let skip = offset
  for (let index = 0; index < segments.length && page.length < limit; index += 1) {
    const hits = segments[isDescending ? segments.length - 1 - index : index]
    if (hits === undefined) continue
    if (skip >= hits.count) skip -= hits.count
    else {
      collect(hits, isDescending, skip, limit, page)
      skip = 0
    }
  }
  return page
}

/** Adds hits of the segment to the page, after skipping some, until it is full. */
const collect = (
  hits: SegmentHits,
  isDescending: boolean,
  skip: number,
  limit: number,
  page: Array<UserId>
): void => {
  const { ids } = hits.segment.sealed
  const changed = hits.changed.toSorted(comparePlaces)
  if (isDescending) changed.reverse()
  let nextChanged = 0
  let left = skip
  let ordinal = first(hits, isDescending)
  if (changed.length === 0 && left > 0) {
    ordinal = nth(hits, isDescending, left)
    left = 0
  }
  while (page.length < limit) {
    const other = changed[nextChanged]
    if (other !== undefined && (ordinal === -1 || comesBefore(other, ordinal, isDescending))) {
      if (left === 0) page.push(other.member.userId)
      nextChanged += 1
    } else {
      if (ordinal === -1) return
      if (left === 0) page.push(userIdOf(ids.high[ordinal] ?? 0, ids.low[ordinal] ?? 0))
      ordinal = following(hits, isDescending, ordinal)
    }
    if (left > 0) left -= 1
  }
}

const comesBefore = (changed: ChangedMember, ordinal: number, isDescending: boolean): boolean =>
  isDescending ? changed.rank > ordinal : changed.rank <= ordinal

const first = (hits: SegmentHits, isDescending: boolean): number =>
  following(hits, isDescending, isDescending ? hits.segment.sealed.size : -1)

/** Returns the sealed hit after this ordinal; -1 if there is none. */
const following = ({ bits }: SegmentHits, isDescending: boolean, ordinal: number): number =>
  isDescending ? Bitset.previousFrom(bits, ordinal - 1) : Bitset.nextFrom(bits, ordinal + 1)

/** Returns the sealed hit after `skip` others. */
const nth = (hits: SegmentHits, isDescending: boolean, skip: number): number => {
  const { bits } = hits
  const step = isDescending ? -1 : 1
  let left = skip
  let index = isDescending ? bits.length - 1 : 0
  for (;; index += step) {
    const inWord = Bitset.countWord(bits[index] ?? 0)
    if (left < inWord) break
    left -= inWord
  }
  let ordinal = isDescending
    ? Bitset.previousFrom(bits, (index << 5) + 31)
    : Bitset.nextFrom(bits, index << 5)
  for (; left > 0; left -= 1) ordinal = following(hits, isDescending, ordinal)
  return ordinal
}
