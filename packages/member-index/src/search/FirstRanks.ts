import * as Bitset from "../segment/Bitset.ts"
import { fieldContains } from "../segment/SealedSegment.ts"
import { collectScattered, walkClass } from "./ClassWalk.ts"
import { CLASSES, type RelevanceClass, type WholeFit } from "./Relevance.ts"
import { sealedHit, type SearchHits } from "./SearchHits.ts"
import type { SegmentHits } from "./SegmentHits.ts"

/*
 * The first ranks by relevance. For each class, only as many of the best hits as necessary are stored; the rest of a leaf is
 * skipped at the first member with a longer name. The first class with enough hits is the last one that is visited.
 */

/** Returns the first hits, best first. Consumes the hits of the segments. */
export const take = (hits: SearchHits, wanted: number): ReadonlyArray<number> => {
  const taken: Array<number> = []
  for (const [place, relevanceClass] of CLASSES.entries()) {
    const left = wanted - taken.length
    hits.selection.clear(left)
    for (const hit of hits.changed[place] ?? []) hits.select(hit, relevanceClass.field)
    for (const [index, inSegment] of hits.segments.entries()) {
      if (inSegment.sealedCount > 0) selectIn(inSegment, index, relevanceClass, hits)
    }
    taken.push(...hits.selection.ranks(0, left))
    if (taken.length === wanted) break
  }
  return taken
}

/** Selects hits of the class in the segment with this index. */
const selectIn = (inSegment: SegmentHits, index: number, { field, fit }: RelevanceClass, hits: SearchHits): void => {
  /** Takes the hit if it is among the best so far, so that it is not found again. Returns false if it is not. */
  const takeIfBest = (ordinal: number): boolean => {
    const isBest = hits.select(sealedHit(index, ordinal), field)
    if (isBest) inSegment.drop(ordinal)
    return isBest
  }
  if (fit === "user id") {
    if (inSegment.userOrdinal !== -1) takeIfBest(inSegment.userOrdinal)
  } else if (fit === "single terms") {
    collectScattered(inSegment, hits.query, field)
    Bitset.intersect(inSegment.scratch, inSegment.bits)
    Bitset.forEach(inSegment.scratch, takeIfBest)
  } else selectCandidates(inSegment, fit, field, hits, takeIfBest)
}

/** Leaves have the best members first, so each is read up to the first hit that is not among the best. */
const selectCandidates = (
  inSegment: SegmentHits,
  fit: WholeFit,
  field: number,
  { query: { whole }, selection }: SearchHits,
  takeIfBest: (ordinal: number) => boolean
): void => {
  const { bits, segment: { sealed } } = inSegment
  const { end, longest, shortest } = walkClass(inSegment, whole, fit, field)
  const { isExact, ordinals } = sealed.trie
  const short = sealed.lengths[field]
  if (short === undefined) return
  let longestKept = Math.min(longest, selection.longest)
  sealed.trie.forEachLeaf(longestKept, (from, to) => {
    for (let at = from; at < to; at += 1) {
      const ordinal = ordinals[at] ?? 0
      const length = short[ordinal] ?? 0
      if (length > longestKept) break
      if (length < shortest || !Bitset.has(bits, ordinal)) continue
      if (!isExact && !fieldContains(sealed, field, fit.place, ordinal, whole.bytes, end)) continue
      if (!takeIfBest(ordinal)) break
      longestKept = Math.min(longest, selection.longest)
    }
    return longestKept
  })
}
