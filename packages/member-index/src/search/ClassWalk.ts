import * as Bitset from "../segment/Bitset.ts"
import { END, MAX_SHORT_LENGTH, shortLength } from "../segment/EncodedText.ts"
import { FIELDS, PLACE, type Place, rootOf } from "../segment/TrieRoots.ts"
import type { CompiledQuery, Needle } from "./CompiledQuery.ts"
import type { WholeFit } from "./Relevance.ts"
import { NOT_WALKED, type SegmentHits } from "./SegmentHits.ts"

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
  const { sealed: { trie } } = hits.segment
  if (place === PLACE.wordStart) trie.walk(rootOf(field, place), whole.bytes, 0, whole.end)
  else walkOnce(hits, whole, field, place)
  if (isToTheEnd) trie.walkOn(END)
  // No longer inside a field: a query may begin with the second half of the field's first character.
  const shortest = shortLength(whole.length)
  return {
    end: isToTheEnd ? whole.end + 1 : whole.end,
    shortest,
    longest: isToTheEnd ? shortest : MAX_SHORT_LENGTH
  }
}

/** Walks the whole query from a place that several classes or the hits themselves need as well. */
const walkOnce = (
  { segment: { sealed: { trie } }, walked }: SegmentHits,
  { bytes, end }: Needle,
  field: number,
  place: Place
): void => {
  const slot = place === PLACE.anywhere ? field : FIELDS + field
  const known = walked[slot] ?? NOT_WALKED
  if (known !== NOT_WALKED) {
    trie.goTo(known)
    return
  }
  const root = rootOf(field, place)
  if (place === PLACE.anywhere) trie.walkBest(root, bytes, end)
  else trie.walk(root, bytes, 0, end)
  walked[slot] = trie.end
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
    if (sealed.contains(field, PLACE.anywhere, ordinal, needle.bytes, needle.end)) Bitset.insert(scratch, ordinal)
  }
}
