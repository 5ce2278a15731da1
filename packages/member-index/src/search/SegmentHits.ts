import * as Bitset from "../segment/Bitset.ts"
import type { ChangedMember } from "../segment/ChangedMember.ts"
import type { OrdinalSet } from "../segment/OrdinalSet.ts"
import type { Segment } from "../segment/Segment.ts"
import { FIELDS, PLACE, rootOf } from "../segment/TrieRoots.ts"
import { createdSecond, matchesChanged } from "./ChangedMatch.ts"
import type { CompiledQuery, Needle } from "./CompiledQuery.ts"

/*
 * The members of a segment that match a query: a bitset for each condition, combined 32 members at a time. A term that
 * is longer than the path to a leaf of the suffix trie yields candidates. They are verified last, when the other
 * conditions have excluded most of them ("filter and refine").
 */

/** In `SegmentHits.walked`: no walk of the query there yet. */
export const NOT_WALKED = -2

export class SegmentHits {
  readonly segment: Segment
  /** Whether the hits are all sealed members from `from` to `to`. Then `bits` is not used. */
  isRange = false
  from = 0
  to = 0
  readonly bits: Uint32Array
  /** Space for the hits of one class of relevance. */
  readonly ofClass: Uint32Array
  /** The number of sealed members that are hits. */
  sealedCount = 0
  /** The changed members that are hits, in no order. */
  changed: ReadonlyArray<ChangedMember> = []

  /**
   * By field: where the walks of the whole query ended in the segment's trie, so that each is walked once. First those
   * from any place, then those from the field's start.
   */
  readonly walked = new Int32Array(2 * FIELDS)

  constructor(segment: Segment) {
    this.segment = segment
    this.bits = new Uint32Array(segment.words)
    this.ofClass = new Uint32Array(segment.words)
  }

  get count(): number {
    return this.sealedCount + this.changed.length
  }

  bytes(): number {
    return this.bits.byteLength + this.ofClass.byteLength
  }

  /** Finds the hits. Returns the count. `spare` is a temporary bitset, as long as the longest of any segment. */
  find(query: CompiledQuery, spare: Uint32Array): number {
    this.walked.fill(NOT_WALKED)
    this.changed = this.segment.changed.find(query.letters, (changed) => matchesChanged(changed, query))
    this.#findSealed(query, spare)
    return this.count
  }

  /** Writes the hits to `bits` if they are a range. */
  spread(): void {
    if (!this.isRange) return
    Bitset.fillRange(this.bits, this.segment.words, this.from, this.to)
    this.isRange = false
  }

  /** Removes a sealed member from the hits. */
  drop(ordinal: number): void {
    Bitset.drop(this.bits, ordinal)
    this.sealedCount -= 1
  }

  #findSealed(query: CompiledQuery, spare: Uint32Array): void {
    const { sealed } = this.segment
    this.from = query.joinedFrom === -Infinity ? 0 : sealed.rankOf(query.joinedFrom, 0, 0)
    this.to = query.joinedTo === Infinity ? sealed.size : sealed.rankAfter(query.joinedTo)
    this.isRange = true
    if (this.from < this.to) this.#keepAll(query, spare)
    this.sealedCount = this.#countSealed()
  }

  #countSealed(): number {
    return this.isRange ? Math.max(0, this.to - this.from) : Bitset.count(this.bits, this.segment.words)
  }

  #keepAll(query: CompiledQuery, spare: Uint32Array): void {
    const { gone, sealed, words } = this.segment
    for (const role of query.roles) this.#keep(sealed.roles.get(role), spare)
    if (query.sources.length > 0) this.#keepAnyOf(query.sources, sealed.sources, spare)
    if (query.invites.length > 0) this.#keepAnyOf(query.invites, sealed.invites, spare)
    if (query.isBot === true) this.#keep(sealed.bots, spare)
    if (query.isBot === false) {
      this.spread()
      sealed.bots.subtractFrom(this.bits, words)
    }
    if (query.createdFrom !== -Infinity || query.createdTo !== Infinity) this.#keepCreated(query, spare)
    if (gone !== undefined) {
      this.spread()
      Bitset.subtract(this.bits, gone, words)
    }
    if (query.terms.length > 0) this.#keepText(query, spare)
  }

  #keepBits(bits: Uint32Array): void {
    if (this.isRange) {
      this.bits.set(bits.length === this.bits.length ? bits : bits.subarray(0, this.bits.length))
      Bitset.keepRange(this.bits, this.segment.words, this.from, this.to)
      this.isRange = false
    } else Bitset.intersect(this.bits, bits, this.segment.words)
  }

  #keep(set: OrdinalSet | undefined, spare: Uint32Array): void {
    this.spread()
    if (set === undefined) this.bits.fill(0)
    else set.intersectInto(this.bits, this.segment.words, spare)
  }

  #keepAnyOf<A>(wanted: ReadonlyArray<A>, sets: ReadonlyMap<A, OrdinalSet>, spare: Uint32Array): void {
    const { words } = this.segment
    spare.fill(0, 0, words)
    for (const one of wanted) sets.get(one)?.uniteInto(spare, words)
    this.#keepBits(spare)
  }

  #keepCreated({ createdFrom, createdTo, epoch }: CompiledQuery, spare: Uint32Array): void {
    const { sealed: { users }, words } = this.segment
    const from = users.rankWhereMade((millis) => createdSecond(millis, epoch) >= createdFrom)
    const to = users.rankWhereMade((millis) => createdSecond(millis, epoch) > createdTo)
    users.fill(spare, words, from, Math.max(from, to))
    this.#keepBits(spare)
  }

  /** Keeps the members that have all terms, each in any field, and the user whose id is the query. */
  #keepText({ termsByLength, user, whole }: CompiledQuery, spare: Uint32Array): void {
    const { sealed, words } = this.segment
    const ordinal = user === undefined ? -1 : sealed.users.find(user.high, user.low)
    const isUserHit = ordinal !== -1 && this.#isHit(ordinal)
    const unsure: Array<Needle> = []
    for (const [index, term] of termsByLength.entries()) {
      if (!this.isRange && !Bitset.hasMoreThan(this.bits, words, words / FEW_HITS)) {
        unsure.push(...termsByLength.slice(index))
        break
      }
      const isExact = this.#collect(term, termsByLength.length === 1, spare, term.text === whole.text)
      if (!isExact) unsure.push(term)
      this.#keepBits(spare)
    }
    if (unsure.length > 0) this.#verify(unsure)
    if (isUserHit) Bitset.insert(this.bits, ordinal)
  }

  /**
   * Sets `target` to the hits that have, or may have, the term in any field. Returns whether the set is exact. If one
   * field gives an exact set for the only term, candidates of the other fields are verified here; otherwise all hits
   * would have to be verified. With several terms, few candidates are left to verify. If the term is the whole query,
   * notes where its walks ended.
   */
  #collect(term: Needle, isOnly: boolean, target: Uint32Array, isWhole: boolean): boolean {
    const { sealed: { trie }, words } = this.segment
    let isRefining = false
    const unsure: Array<{ readonly field: number; readonly from: number; readonly to: number }> = []
    for (let field = 0; field < FIELDS; field += 1) {
      trie.walkBest(rootOf(field, PLACE.anywhere), term.bytes, term.end)
      if (isWhole) this.walked[field] = trie.end
      const { bits, from, isExact, to } = trie
      if (field === 0 && bits !== undefined) target.set(bits)
      else if (field === 0) target.fill(0, 0, words)
      if (!isExact) unsure.push({ field, from, to })
      else if (from < to) {
        isRefining = isOnly
        trie.uniteInto(target, words)
      }
    }
    for (const { field, from, to } of unsure) {
      for (let at = from; at < to; at += 1) {
        const ordinal = trie.ordinals[at] ?? 0
        if (!isRefining || this.#isNewHit(ordinal, target, field, term)) Bitset.insert(target, ordinal)
      }
    }
    return isRefining || unsure.length === 0
  }

  #isNewHit(ordinal: number, known: Uint32Array, field: number, { bytes, end }: Needle): boolean {
    return !Bitset.has(known, ordinal) && this.#isHit(ordinal) &&
      this.segment.sealed.contains(field, PLACE.anywhere, ordinal, bytes, end)
  }

  #isHit(ordinal: number): boolean {
    return this.isRange ? ordinal >= this.from && ordinal < this.to : Bitset.has(this.bits, ordinal)
  }

  /** Keeps the hits whose text contains all needles. */
  #verify(needles: ReadonlyArray<Needle>): void {
    const { sealed, words } = this.segment
    Bitset.forEach(this.bits, words, (ordinal) => {
      if (!needles.every(({ bytes, end }) => sealed.containsInAnyField(ordinal, bytes, end))) {
        Bitset.drop(this.bits, ordinal)
      }
    })
  }
}

/** If fewer than one bit in this many words is set, checking texts is cheaper than making more bitsets. */
const FEW_HITS = 16
