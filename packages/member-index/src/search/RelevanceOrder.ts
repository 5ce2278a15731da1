import * as Bitset from "../segment/Bitset.ts"
import { SHORT_LENGTHS } from "../segment/EncodedText.ts"
import { fieldContains } from "../segment/SealedSegment.ts"
import { collectScattered, walkClass } from "./ClassWalk.ts"
import { CLASSES, type RelevanceClass, type WholeFit } from "./Relevance.ts"
import { sealedHit, type SearchHits } from "./SearchHits.ts"
import type { SegmentHits } from "./SegmentHits.ts"

/*
 * Ranks by relevance at any depth. The classes of relevance are processed from the best on. The members of a class come
 * from a walk of the suffix trie, without the members of better classes; no member is classified individually. The
 * processing stops when the ranks are covered. Lengths and user ids are compared only within the classes that contain
 * the ranks.
 */

/** If there are at most this many entries of the trie, they are checked one by one. */
const FEW_ENTRIES = 256

/** Returns the hits at these ranks, best first. Consumes the hits of the segments. */
export const take = (hits: SearchHits, from: number, to: number): ReadonlyArray<number> => {
  const { gathered } = hits.selection
  const taken: Array<number> = []
  let better = 0
  for (const [place, relevanceClass] of CLASSES.entries()) {
    gathered.length = 0
    for (const hit of hits.changed[place] ?? []) gathered.push(hit)
    const dense = hits.segments.map((inSegment, index) =>
      inSegment.sealedCount === 0 ? 0 : takeIn(inSegment, index, relevanceClass, hits)
    )
    const size = dense.reduce((sum, count) => sum + count, gathered.length)
    if (better + size > from) {
      for (const [index, { scratch }] of hits.segments.entries()) {
        if (dense[index] !== 0) Bitset.forEach(scratch, (ordinal) => gathered.push(sealedHit(index, ordinal)))
      }
      taken.push(...ranked(hits, relevanceClass.field, Math.max(from - better, 0), Math.min(to - better, size)))
    }
    better += size
    if (better >= to) break
  }
  return taken
}

/**
 * Takes the hits of the class from the remaining hits of the segment with this index. Returns the number of those in
 * `scratch`; the others are gathered.
 */
const takeIn = (inSegment: SegmentHits, index: number, { field, fit }: RelevanceClass, hits: SearchHits): number => {
  const takeOne = (ordinal: number): void => {
    Bitset.drop(inSegment.bits, ordinal)
    hits.selection.gathered.push(sealedHit(index, ordinal))
  }
  if (fit === "single terms") {
    collectScattered(inSegment, hits.query, field)
    return takeCommon(inSegment, inSegment.scratch)
  }
  if (fit !== "user id") return takeCandidates(inSegment, fit, field, hits, takeOne)
  if (inSegment.userOrdinal !== -1) takeOne(inSegment.userOrdinal)
  return 0
}

const takeCandidates = (
  inSegment: SegmentHits,
  fit: WholeFit,
  field: number,
  { query: { whole } }: SearchHits,
  takeOne: (ordinal: number) => void
): number => {
  const { end } = walkClass(inSegment, whole, fit, field)
  const { scratch, segment: { sealed } } = inSegment
  const { bits, from, isExact, ordinals, to } = sealed.trie
  if (bits !== undefined) return takeCommon(inSegment, bits)
  if (isExact && to - from > FEW_ENTRIES) {
    scratch.fill(0)
    sealed.trie.uniteInto(scratch)
    return takeCommon(inSegment, scratch)
  }
  for (let at = from; at < to; at += 1) {
    const ordinal = ordinals[at] ?? 0
    if (!Bitset.has(inSegment.bits, ordinal)) continue
    if (isExact || fieldContains(sealed, field, fit.place, ordinal, whole.bytes, end)) takeOne(ordinal)
  }
  return 0
}

/** Moves the hits in the set to `scratch`, which may be the set. Returns the count. */
const takeCommon = ({ bits, scratch }: SegmentHits, set: Uint32Array): number => {
  const count = Bitset.intersection(scratch, bits, set)
  Bitset.subtract(bits, scratch)
  return count
}

/** Returns the gathered hits at the ranks, in order. Compares only hits with the lengths at these ranks. */
const ranked = (hits: SearchHits, field: number, from: number, to: number): ReadonlyArray<number> => {
  const { selection } = hits
  const gathered = selection.gathered.values.subarray(0, selection.gathered.length)
  const ends = new Uint32Array(SHORT_LENGTHS)
  for (const hit of gathered) {
    const length = hits.shortLength(hit, field)
    ends[length] = (ends[length] ?? 0) + 1
  }
  for (let length = 1; length < SHORT_LENGTHS; length += 1) {
    ends[length] = (ends[length] ?? 0) + (ends[length - 1] ?? 0)
  }
  const shortest = ends.findIndex((end) => end > from)
  const longest = ends.findIndex((end) => end >= to)
  const shorter = ends[shortest - 1] ?? 0
  selection.clear()
  for (const hit of gathered) {
    const length = hits.shortLength(hit, field)
    if (length >= shortest && length <= longest) hits.select(hit, field)
  }
  return selection.ranks(from - shorter, to - shorter)
}
