import * as Bitset from "../segment/Bitset.ts"
import type { SealedSegment } from "../segment/SealedSegment.ts"
import { PLACE } from "../segment/TrieRoots.ts"
import { compareHalves } from "../segment/UserIdHalves.ts"
import { FIT_PLACES } from "./ClassWalk.ts"
import type { CompiledQuery } from "./CompiledQuery.ts"
import { type HitNumbers, sealedHit } from "./HitNumbers.ts"
import { CLASSES, FIT } from "./Relevance.ts"
import type { SegmentHits } from "./SegmentHits.ts"

/*
 * The ranks of few hits by relevance: each hit is classified by its texts, and all are sorted. This is faster than
 * walking to each class in each segment.
 */

interface RankedHit {
  readonly hit: number
  readonly length: number
  readonly high: number
  readonly low: number
}

/** A hit as it is sorted. */
const RANKED = {
  add: (hit: number, length: number, high: number, low: number): RankedHit => ({ hit, length, high, low })
}

const compare = (self: RankedHit, that: RankedHit): number =>
  self.length - that.length || compareHalves(self.high, self.low, that.high, that.low)

/** Returns the hits at these ranks, best first. */
export const take = (
  segments: ReadonlyArray<SegmentHits>,
  query: CompiledQuery,
  hitNumbers: HitNumbers,
  from: number,
  to: number
): ReadonlyArray<number> => {
  const byClass = CLASSES.map((): Array<RankedHit> => [])
  const add = (hit: number, place: number) => {
    byClass[place]?.push(hitNumbers.addTo(RANKED, hit, CLASSES[place]?.field ?? 0))
  }
  for (const [index, { bits, sealedCount, segment: { sealed } }] of segments.entries()) {
    hitNumbers.forEachChangedClass(
      index,
      (hit, number) => add(hit, CLASSES.findIndex((relevanceClass) => relevanceClass.number === number))
    )
    if (sealedCount === 0) continue
    Bitset.forEach(bits, (ordinal) => add(sealedHit(index, ordinal), classOf(sealed, ordinal, query)))
  }
  return byClass.flatMap((hits) => hits.sort(compare)).slice(from, to).map(({ hit }) => hit)
}

/** Returns the place in `CLASSES` of a sealed member that matches the query. */
const classOf = (sealed: SealedSegment, ordinal: number, { terms, user, whole }: CompiledQuery): number =>
  CLASSES.findIndex(({ field, fit }) => {
    if (fit === FIT.userId) {
      return user !== undefined && sealed.ids.high[ordinal] === user.high && sealed.ids.low[ordinal] === user.low
    }
    const fitPlace = FIT_PLACES[fit]
    if (fitPlace === undefined) {
      return terms.some(({ bytes, end }) => sealed.contains(field, PLACE.anywhere, ordinal, bytes, end))
    }
    const end = fitPlace.isToTheEnd ? whole.end + 1 : whole.end
    return sealed.contains(field, fitPlace.place, ordinal, whole.bytes, end)
  })
