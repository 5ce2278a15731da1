import * as Bitset from "../segment/Bitset.ts"
import { textOf } from "../segment/SealedSegment.ts"
import { CLASSES, classOf } from "./Relevance.ts"
import { sealedHit, type SearchHits } from "./SearchHits.ts"

/*
 * The ranks of few hits by relevance: each hit is classified by its texts, and all are sorted. This is faster than
 * walking to each class in each segment.
 */

/** Returns the hits at these ranks, best first. */
export const take = (hits: SearchHits, from: number, to: number): ReadonlyArray<number> => {
  const byClass = hits.changed.map((changed) => [...changed])
  for (const [index, { bits, sealedCount, segment: { sealed }, userOrdinal }] of hits.segments.entries()) {
    if (sealedCount === 0) continue
    Bitset.forEach(bits, (ordinal) => {
      const place = classOf(textOf(sealed, ordinal), ordinal === userOrdinal, hits.query)
      byClass[place]?.push(sealedHit(index, ordinal))
    })
  }
  return CLASSES.flatMap(({ field }, place) => {
    hits.selection.clear()
    for (const hit of byClass[place] ?? []) hits.select(hit, field)
    return hits.selection.ranks(0, Infinity)
  }).slice(from, to)
}
