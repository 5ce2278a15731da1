import * as Bitset from "../segment/Bitset.ts"
import type { WordColumn } from "../segment/GrowingColumn.ts"
import { type ClassCandidates, collectScattered, walkClass } from "./ClassWalk.ts"
import type { CompiledQuery } from "./CompiledQuery.ts"
import { type HitNumbers, sealedHit } from "./HitNumbers.ts"
import { CLASSES, FIT, type RelevanceClass } from "./Relevance.ts"
import type { SegmentHits } from "./SegmentHits.ts"
import type { Selection } from "./Selection.ts"

/*
 * Ranks by relevance at any depth. The classes of relevance are processed from the best on. The members of a class come
 * from a walk of the suffix trie, without the members of better classes; no member is classified individually. The
 * processing stops when the ranks are covered. Lengths and user ids are compared only within the classes that contain
 * the ranks.
 */

/** If there are at most this many entries of the trie, they are checked one by one. */
const FEW_ENTRIES = 256

const SHORT_LENGTHS = 256

/** The computation of one page. Used once. */
export class RelevanceOrder {
  readonly #segments: ReadonlyArray<SegmentHits>
  readonly #query: CompiledQuery
  readonly #hitNumbers: HitNumbers
  readonly #selection: Selection
  /** The hits of the current class. */
  readonly #gathered: WordColumn
  /** By segment: the number of hits of the current class that are in `scratch` instead. */
  readonly #dense: Uint32Array

  constructor(
    segments: ReadonlyArray<SegmentHits>,
    query: CompiledQuery,
    hitNumbers: HitNumbers,
    selection: Selection
  ) {
    this.#segments = segments
    this.#query = query
    this.#hitNumbers = hitNumbers
    this.#selection = selection
    this.#gathered = selection.gathered
    this.#dense = new Uint32Array(segments.length)
  }

  /** Returns the hits at these ranks, best first. Consumes the hits of the segments. */
  take(from: number, to: number): ReadonlyArray<number> {
    const taken: Array<number> = []
    let better = 0
    for (const relevanceClass of CLASSES) {
      const size = this.#gather(relevanceClass)
      if (better + size > from) {
        this.#addDense()
        taken.push(
          ...this.#select(relevanceClass.field, Math.max(from - better, 0), Math.min(to - better, size))
        )
      }
      better += size
      if (better >= to) break
    }
    return taken
  }

  /** Takes the hits of the class from the remaining hits. Returns the count. */
  #gather(relevanceClass: RelevanceClass): number {
    this.#gathered.length = 0
    let dense = 0
    for (const [index, hits] of this.#segments.entries()) {
      this.#hitNumbers.forEachChanged(index, relevanceClass.number, (hit) => this.#gathered.push(hit))
      const count = hits.sealedCount === 0 ? 0 : this.#take(hits, index, relevanceClass)
      this.#dense[index] = count
      dense += count
    }
    return dense + this.#gathered.length
  }

  /** Takes the hits of a segment. Returns the number of hits in `scratch`; the others are gathered. */
  #take(hits: SegmentHits, index: number, { field, fit }: RelevanceClass): number {
    const { sealed: { users } } = hits.segment
    if (fit === FIT.userId) {
      const { user } = this.#query
      const ordinal = user === undefined ? -1 : users.find(user.high, user.low)
      if (ordinal !== -1) this.#takeOne(hits, index, ordinal)
      return 0
    }
    const candidates = walkClass(hits, this.#query, fit, field)
    if (candidates !== undefined) return this.#takeFound(hits, index, field, candidates)
    collectScattered(hits, this.#query, field)
    return takeCommon(hits.bits, hits.scratch, hits.scratch)
  }

  /** Takes the hits in the result of the last walk of the segment's trie. */
  #takeFound(hits: SegmentHits, index: number, field: number, { end, place }: ClassCandidates): number {
    const { sealed } = hits.segment
    const { bits, from, isExact, ordinals, to } = sealed.trie
    if (bits !== undefined) return takeCommon(hits.bits, bits, hits.scratch)
    if (isExact && to - from > FEW_ENTRIES) {
      hits.scratch.fill(0)
      sealed.trie.uniteInto(hits.scratch)
      return takeCommon(hits.bits, hits.scratch, hits.scratch)
    }
    for (let at = from; at < to; at += 1) {
      const ordinal = ordinals[at] ?? 0
      if (!Bitset.has(hits.bits, ordinal)) continue
      if (isExact || sealed.contains(field, place, ordinal, this.#query.whole.bytes, end)) {
        this.#takeOne(hits, index, ordinal)
      }
    }
    return 0
  }

  #takeOne(hits: SegmentHits, index: number, ordinal: number): void {
    if (!Bitset.has(hits.bits, ordinal)) return
    Bitset.drop(hits.bits, ordinal)
    this.#gathered.push(sealedHit(index, ordinal))
  }

  /** Gathers the hits in `scratch`. */
  #addDense(): void {
    for (const [index, { scratch }] of this.#segments.entries()) {
      if (this.#dense[index] === 0) continue
      Bitset.forEach(scratch, (ordinal) => this.#gathered.push(sealedHit(index, ordinal)))
    }
  }

  /** Returns the hits at the ranks, in order. Compares only hits with the lengths at these ranks. */
  #select(field: number, from: number, to: number): ReadonlyArray<number> {
    const hits = this.#gathered.values.subarray(0, this.#gathered.length)
    const ends = new Uint32Array(SHORT_LENGTHS)
    for (const hit of hits) {
      const length = this.#hitNumbers.shortLength(hit, field)
      ends[length] = (ends[length] ?? 0) + 1
    }
    for (let length = 1; length < SHORT_LENGTHS; length += 1) {
      ends[length] = (ends[length] ?? 0) + (ends[length - 1] ?? 0)
    }
    const shortest = ends.findIndex((end) => end > from)
    const longest = ends.findIndex((end) => end >= to)
    const shorter = ends[shortest - 1] ?? 0
    this.#selection.clear()
    for (const hit of hits) {
      const length = this.#hitNumbers.shortLength(hit, field)
      if (length >= shortest && length <= longest) this.#hitNumbers.addTo(this.#selection, hit, field)
    }
    return this.#selection.ranks(from - shorter, to - shorter)
  }
}

/** Moves the intersection of both from `left` to `target`. Returns the count. `target` may be `other`. */
const takeCommon = (left: Uint32Array, other: Uint32Array, target: Uint32Array): number => {
  const count = Bitset.intersection(target, left, other)
  Bitset.subtract(left, target)
  return count
}
