import * as Bitset from "../segment/Bitset.ts"
import { MAX_SHORT_LENGTH, shortLength } from "../segment/EncodedText.ts"
import { fieldContains } from "../segment/SealedSegment.ts"
import { PLACE, rootOf } from "../segment/TrieRoots.ts"
import type { CompiledQuery, Needle } from "./CompiledQuery.ts"
import type { WholeFit } from "./Relevance.ts"
import type { SegmentHits } from "./SegmentHits.ts"

/** The result of a walk to a class in the trie: the members of the class, or candidates if the walk is not exact. */
export interface ClassCandidates {
  /** The end of the part of the needle that the candidates may contain. */
  readonly end: number
  /** The short lengths of the fields. */
  readonly shortest: number
  readonly longest: number
}

/** Walks the segment's trie to the members who have the whole query there in the field. */
export const walkClass = (
  hits: SegmentHits,
  whole: Needle,
  { isToTheEnd, place }: WholeFit,
  field: number
): ClassCandidates => {
  const { trie } = hits.segment.sealed
  const end = isToTheEnd ? whole.end + 1 : whole.end
  if (place === PLACE.anywhere) trie.walkBest(rootOf(field, place), whole.bytes, end)
  else trie.walk(rootOf(field, place), whole.bytes, 0, end)
  // No longer inside a field: a query may begin with the second half of the field's first character.
  const shortest = shortLength(whole.length)
  return { end, shortest, longest: isToTheEnd ? shortest : MAX_SHORT_LENGTH }
}

/** Sets `scratch` to the hits of the segment that have at least one of the terms in the field. */
export const collectScattered = (hits: SegmentHits, { terms }: CompiledQuery, field: number): void => {
  hits.scratch.fill(0)
  for (const term of terms) addHaving(hits, field, term)
}

const addHaving = ({ bits, scratch, segment: { sealed } }: SegmentHits, field: number, needle: Needle): void => {
  const { trie } = sealed
  trie.walkBest(rootOf(field, PLACE.anywhere), needle.bytes, needle.end)
  if (trie.isExact) {
    trie.uniteInto(scratch)
    return
  }
  const { from, ordinals, to } = trie
  for (let at = from; at < to; at += 1) {
    const ordinal = ordinals[at] ?? 0
    if (!Bitset.has(bits, ordinal) || Bitset.has(scratch, ordinal)) continue
    if (fieldContains(sealed, field, PLACE.anywhere, ordinal, needle.bytes, needle.end)) Bitset.insert(scratch, ordinal)
  }
}
