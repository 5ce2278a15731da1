import type { UserId } from "@community-messaging/domain/account/User"
import * as Bitset from "../segment/Bitset.ts"
import type { ChangedMember } from "../segment/ChangedMember.ts"
import { shortLength } from "../segment/EncodedText.ts"
import type { WordColumn } from "../segment/GrowingColumn.ts"
import type { SealedSegment } from "../segment/SealedSegment.ts"
import { PLACE, type Place, rootOf } from "../segment/SuffixTrie.ts"
import { userIdOf } from "../segment/UserIdHalves.ts"
import type { CompiledQuery, Needle } from "./CompiledQuery.ts"
import { CLASSES, classOf, FIT, lengthOfField, type RelevanceClass } from "./Relevance.ts"
import type { SegmentHits } from "./SegmentHits.ts"
import type { Selection } from "./Selection.ts"

/*
 * A page in the order of relevance. The classes of relevance are taken from the best on: each is what the suffix trie
 * says of the query at the class's places of its field, without those of better classes. Nobody is classified one by
 * one, and when the page is covered the rest is left alone. Only within the classes that are on the page are lengths and
 * user ids compared.
 */

/** A hit in one number: its segment, whether it is a changed member, and its ordinal, or its place among the changed. */
const CHANGED = 0x1_0000
const SEGMENT = 0x2_0000
const SEGMENT_SHIFT = 17

/** Entries of the trie so few that they are looked at one by one. */
const FEW_ENTRIES = 256

/** Comparing a hit with others costs as much as walking so many steps of the order of lengths. */
const STEPS_PER_HIT = 8

const SHORT_LENGTHS = 256

/** What one page needs. Used once. */
export class RelevanceOrder {
  readonly #segments: ReadonlyArray<SegmentHits>
  readonly #query: CompiledQuery
  readonly #selection: Selection
  /** By segment: the classes of its changed members. */
  readonly #changedClasses: ReadonlyArray<ReadonlyArray<number>>
  /** Hits of the class at hand. */
  readonly #codes: WordColumn
  /** By segment: how many hits of the class at hand stand in `ofClass` instead. */
  readonly #dense: Uint32Array

  constructor(segments: ReadonlyArray<SegmentHits>, query: CompiledQuery, selection: Selection) {
    this.#segments = segments
    this.#query = query
    this.#selection = selection
    this.#codes = selection.gathered
    this.#dense = new Uint32Array(segments.length)
    this.#changedClasses = segments.map(({ changed }) => changed.map(({ member }) => classOf(member, query)))
  }

  /** The hits of those ranks, best first. The hits of the segments are used up. */
  page(from: number, to: number): ReadonlyArray<UserId> {
    for (const hits of this.#segments) hits.spread()
    const page: Array<UserId> = []
    let better = 0
    for (const relevanceClass of CLASSES) {
      const size = this.#gather(relevanceClass)
      if (better + size > from) {
        const wanted = this.#ranks(relevanceClass, Math.max(from - better, 0), Math.min(to - better, size), size)
        for (const code of wanted) page.push(this.#userIdOf(code))
      }
      better += size
      if (better >= to) break
    }
    return page
  }

  /** Takes the hits of the class from what is left; returns their count. */
  #gather(relevanceClass: RelevanceClass): number {
    this.#codes.length = 0
    let dense = 0
    for (const [index, hits] of this.#segments.entries()) {
      this.#dense[index] = 0
      for (const [place, number] of (this.#changedClasses[index] ?? []).entries()) {
        if (number === relevanceClass.number) this.#codes.push(index * SEGMENT + CHANGED + place)
      }
      if (hits.sealedCount === 0) continue
      const count = this.#take(hits, index, relevanceClass)
      this.#dense[index] = count
      dense += count
    }
    return dense + this.#codes.length
  }

  /** Takes the hits of a segment; how many of them now stand in `ofClass`, the others are among the codes. */
  #take(hits: SegmentHits, index: number, { field, fit }: RelevanceClass): number {
    const { sealed: { trie, users }, words } = hits.segment
    const { user, whole } = this.#query
    switch (fit) {
      case FIT.userId: {
        const ordinal = user === undefined ? -1 : users.find(user.high, user.low)
        if (ordinal !== -1) this.#takeOne(hits, index, ordinal)
        return 0
      }
      case FIT.equal:
        trie.walk(rootOf(field, PLACE.fieldStart), whole.bytes, 0, whole.end + 1)
        return this.#takeFound(hits, index, field, PLACE.fieldStart, whole.end + 1)
      case FIT.prefix:
        trie.walk(rootOf(field, PLACE.fieldStart), whole.bytes, 0, whole.end)
        return this.#takeFound(hits, index, field, PLACE.fieldStart, whole.end)
      case FIT.wordPrefix:
        trie.walk(rootOf(field, PLACE.wordStart), whole.bytes, 0, whole.end)
        return this.#takeFound(hits, index, field, PLACE.wordStart, whole.end)
      case FIT.inside:
        trie.walkBest(rootOf(field, PLACE.anywhere), whole.bytes, whole.end)
        return this.#takeFound(hits, index, field, PLACE.anywhere, whole.end)
      case FIT.scatteredTerms:
        hits.ofClass.fill(0)
        for (const term of this.#query.terms) addHaving(hits, field, term)
        return takeCommon(hits.bits, hits.ofClass, hits.ofClass, words)
    }
  }

  /** Takes those whom the last walk of the segment's trie found. */
  #takeFound(hits: SegmentHits, index: number, field: number, place: Place, end: number): number {
    const { sealed, words } = hits.segment
    const { bits, from, isExact, ordinals, to } = sealed.trie
    if (bits !== undefined) return takeCommon(hits.bits, bits, hits.ofClass, words)
    if (isExact && to - from > FEW_ENTRIES) {
      hits.ofClass.fill(0)
      sealed.trie.uniteInto(hits.ofClass, words)
      return takeCommon(hits.bits, hits.ofClass, hits.ofClass, words)
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
    this.#codes.push(index * SEGMENT + ordinal)
  }

  /** Those of the class that have the ranks in it, in order. */
  #ranks({ field }: RelevanceClass, from: number, to: number, size: number): ReadonlyArray<number> {
    // From whichever end is nearer.
    const isBackwards = size - to < from
    this.#addDense(field, isBackwards ? size - from : to, isBackwards)
    const left = isBackwards ? size - this.#codes.length : 0
    return this.#select(field, from - left, to - left)
  }

  /**
   * Adds the hits in `ofClass` to the codes. Where they are many, only so many from one end of each segment's order of
   * lengths: as many steps of it lead there as there are members to each hit.
   */
  #addDense(field: number, wanted: number, isBackwards: boolean): void {
    for (const [index, { ofClass, segment: { sealed, words } }] of this.#segments.entries()) {
      const count = this.#dense[index] ?? 0
      const lengths = sealed.lengths[field]
      if (count === 0 || lengths === undefined) continue
      const add = (ordinal: number) => this.#codes.push(index * SEGMENT + ordinal)
      const steps = Math.min(1, wanted / count) * sealed.size
      if (steps < count * STEPS_PER_HIT) lengths.visitFirst(ofClass, wanted, isBackwards, add)
      else Bitset.forEach(ofClass, words, add)
    }
  }

  /** Of the codes those of the ranks, in order. Only who has a length that stands at these ranks is compared. */
  #select(field: number, from: number, to: number): ReadonlyArray<number> {
    const codes = this.#codes.values.subarray(0, this.#codes.length)
    const ends = new Uint32Array(SHORT_LENGTHS)
    for (const code of codes) {
      const length = this.#shortLength(code, field)
      ends[length] = (ends[length] ?? 0) + 1
    }
    for (let length = 1; length < SHORT_LENGTHS; length += 1) {
      ends[length] = (ends[length] ?? 0) + (ends[length - 1] ?? 0)
    }
    const shortest = ends.findIndex((end) => end > from)
    const longest = ends.findIndex((end) => end >= to)
    const shorter = ends[shortest - 1] ?? 0
    this.#selection.clear()
    for (const code of codes) {
      const length = this.#shortLength(code, field)
      if (length >= shortest && length <= longest) this.#addToSelection(code, field)
    }
    return this.#selection.ranks(from - shorter, to - shorter)
  }

  #addToSelection(code: number, field: number): void {
    const changed = this.#changedOf(code)
    if (changed !== undefined) {
      this.#selection.add(code, lengthOfField(changed.member, field), changed.high, changed.low)
      return
    }
    const ordinal = code & 0xffff
    const sealed = this.#sealedOf(code)
    this.#selection.add(
      code,
      sealed?.lengthOf(field, ordinal) ?? 0,
      sealed?.ids.high[ordinal] ?? 0,
      sealed?.ids.low[ordinal] ?? 0
    )
  }

  #shortLength(code: number, field: number): number {
    const changed = this.#changedOf(code)
    return changed === undefined
      ? this.#sealedOf(code)?.lengths[field]?.short[code & 0xffff] ?? 0
      : shortLength(lengthOfField(changed.member, field))
  }

  #userIdOf(code: number): UserId {
    const changed = this.#changedOf(code)
    if (changed !== undefined) return changed.member.userId
    const ids = this.#sealedOf(code)?.ids
    return userIdOf(ids?.high[code & 0xffff] ?? 0, ids?.low[code & 0xffff] ?? 0)
  }

  #sealedOf(code: number): SealedSegment | undefined {
    return this.#segments[code >>> SEGMENT_SHIFT]?.segment.sealed
  }

  #changedOf(code: number): ChangedMember | undefined {
    return (code & CHANGED) === 0 ? undefined : this.#segments[code >>> SEGMENT_SHIFT]?.changed[code & 0xffff]
  }
}

/** Moves what is in both from `left` to `target`; returns their count. `target` may be `other`. */
const takeCommon = (left: Uint32Array, other: Uint32Array, target: Uint32Array, words: number): number => {
  let count = 0
  for (let index = 0; index < words; index += 1) {
    const own = left[index] ?? 0
    const common = own & (other[index] ?? 0)
    target[index] = common
    left[index] = own ^ common
    count += Bitset.countWord(common)
  }
  return count
}

/** Adds to `ofClass` at least those of the hits who have the needle in that field. */
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
