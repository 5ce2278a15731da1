import * as Bitset from "../segment/Bitset.ts"
import { MAX_SHORT_LENGTH, shortLength } from "../segment/EncodedText.ts"
import { PLACE, type Place, rootOf } from "../segment/SuffixTrie.ts"
import type { CompiledQuery, Needle } from "./CompiledQuery.ts"
import { FIT, type Fit } from "./Relevance.ts"
import type { SegmentHits } from "./SegmentHits.ts"

/** How a fit is a place in the suffix trie: at which places of the field the whole query stands, and up to its end or not. */
interface FitPlace {
  readonly place: Place
  readonly isToTheEnd: boolean
}

const FIT_PLACES: { readonly [fit: number]: FitPlace } = {
  [FIT.equal]: { place: PLACE.fieldStart, isToTheEnd: true },
  [FIT.prefix]: { place: PLACE.fieldStart, isToTheEnd: false },
  [FIT.wordPrefix]: { place: PLACE.wordStart, isToTheEnd: false },
  [FIT.inside]: { place: PLACE.anywhere, isToTheEnd: false }
}

/** What the walk of a class found in the trie: who has it, or, where it is not exact, who may have it. */
export interface ClassCandidates {
  readonly place: Place
  /** Where the needle that they may have ends. */
  readonly end: number
  /** The short lengths of the fields that they may have it in. */
  readonly shortest: number
  readonly longest: number
}

/** Walks the segment's trie to the class; nothing for a class that is no place in it. */
export const walkClass = (
  { segment: { sealed: { trie } } }: SegmentHits,
  { whole }: CompiledQuery,
  fit: Fit,
  field: number
): ClassCandidates | undefined => {
  const found = FIT_PLACES[fit]
  if (found === undefined) return undefined
  const { isToTheEnd, place } = found
  const end = isToTheEnd ? whole.end + 1 : whole.end
  const root = rootOf(field, place)
  if (place === PLACE.anywhere) trie.walkBest(root, whole.bytes, end)
  else trie.walk(root, whole.bytes, 0, end)
  // What does not begin the field has something before it.
  const shortest = shortLength(place === PLACE.fieldStart ? whole.length : whole.length + 1)
  return { place, end, shortest, longest: isToTheEnd ? shortest : MAX_SHORT_LENGTH }
}

/** Makes `ofClass` a set that has all hits of the segment with one of the terms in that field, and no other hits. */
export const collectScattered = (hits: SegmentHits, { terms }: CompiledQuery, field: number): void => {
  hits.ofClass.fill(0)
  for (const term of terms) addHaving(hits, field, term)
}

const addHaving = ({ bits, ofClass, segment: { sealed, words } }: SegmentHits, field: number, needle: Needle): void => {
  const { trie } = sealed
  trie.walkBest(rootOf(field, PLACE.anywhere), needle.bytes, needle.end)
  if (trie.isExact) {
    trie.uniteInto(ofClass, words)
    return
  }
  const { from, ordinals, to } = trie
  for (let at = from; at < to; at += 1) {
    const ordinal = ordinals[at] ?? 0
    if (!Bitset.has(bits, ordinal) || Bitset.has(ofClass, ordinal)) continue
    if (sealed.contains(field, PLACE.anywhere, ordinal, needle.bytes, needle.end)) Bitset.insert(ofClass, ordinal)
  }
}
