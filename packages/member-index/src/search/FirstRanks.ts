import * as Bitset from "../segment/Bitset.ts"
import { type ClassCandidates, collectScattered, walkClass } from "./ClassWalk.ts"
import type { CompiledQuery } from "./CompiledQuery.ts"
import { type HitNumbers, sealedHit } from "./HitNumbers.ts"
import { CLASSES, FIT, type RelevanceClass } from "./Relevance.ts"
import type { SegmentHits } from "./SegmentHits.ts"
import type { Selection } from "./Selection.ts"

/*
 * The first ranks by relevance. For each class, only as many of the best hits as necessary are stored; the rest of a leaf is
 * skipped at the first member with a longer name. The first class with enough hits is the last one that is visited.
 */

/** The computation of one page. Used once. */
export class FirstRanks {
  readonly #segments: ReadonlyArray<SegmentHits>
  readonly #query: CompiledQuery
  readonly #hitNumbers: HitNumbers
  readonly #best: Selection

  constructor(segments: ReadonlyArray<SegmentHits>, query: CompiledQuery, hitNumbers: HitNumbers, best: Selection) {
    this.#segments = segments
    this.#query = query
    this.#hitNumbers = hitNumbers
    this.#best = best
  }

  /** Returns the first hits, best first. Consumes the hits of the segments. */
  take(wanted: number): ReadonlyArray<number> {
    const taken: Array<number> = []
    for (const relevanceClass of CLASSES) {
      const left = wanted - taken.length
      this.#best.clear(left)
      for (const [index, hits] of this.#segments.entries()) this.#addOfSegment(hits, index, relevanceClass)
      taken.push(...this.#best.ranks(0, left))
      if (taken.length === wanted) break
    }
    return taken
  }

  #addOfSegment(hits: SegmentHits, index: number, { field, fit, number }: RelevanceClass): void {
    this.#hitNumbers.forEachChanged(index, number, (hit) => this.#hitNumbers.addTo(this.#best, hit, field))
    if (hits.sealedCount === 0) return
    const { sealed: { users } } = hits.segment
    if (fit === FIT.userId) {
      const { user } = this.#query
      const ordinal = user === undefined ? -1 : users.find(user.high, user.low)
      if (ordinal !== -1 && Bitset.has(hits.bits, ordinal)) this.#add(hits, index, ordinal, field)
      return
    }
    const candidates = walkClass(hits, this.#query, fit, field)
    if (candidates === undefined) {
      collectScattered(hits, this.#query, field)
      Bitset.intersect(hits.scratch, hits.bits)
      Bitset.forEach(hits.scratch, (ordinal) => this.#add(hits, index, ordinal, field))
    } else this.#addCandidates(hits, index, field, candidates)
  }

  /**
   * Adds the hits in the result of the last walk of the segment's trie. Leaves have the best members first, so each is
   * read up to the first hit that is not among the best.
   */
  #addCandidates(hits: SegmentHits, index: number, field: number, candidates: ClassCandidates): void {
    const { bits, segment: { sealed } } = hits
    const { isExact, ordinals } = sealed.trie
    const { end, longest, place, shortest } = candidates
    const short = sealed.lengths[field]
    if (short === undefined) return
    const { bytes } = this.#query.whole
    let longestKept = Math.min(longest, this.#best.longest)
    sealed.trie.forEachLeaf(longestKept, (from, to) => {
      for (let at = from; at < to; at += 1) {
        const ordinal = ordinals[at] ?? 0
        const length = short[ordinal] ?? 0
        if (length > longestKept) break
        if (length < shortest || !Bitset.has(bits, ordinal)) continue
        if (!isExact && !sealed.contains(field, place, ordinal, bytes, end)) continue
        if (!this.#add(hits, index, ordinal, field)) break
        longestKept = Math.min(longest, this.#best.longest)
      }
      return longestKept
    })
  }

  /** Takes the hit if it is among the best so far, so that it is not found again. Returns false if it is not. */
  #add(hits: SegmentHits, index: number, ordinal: number, field: number): boolean {
    const isBest = this.#hitNumbers.addTo(this.#best, sealedHit(index, ordinal), field)
    if (isBest) hits.drop(ordinal)
    return isBest
  }
}
