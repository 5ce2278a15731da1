import * as Bitset from "../segment/Bitset.ts"
import type { ChangedMember } from "../segment/ChangedMember.ts"
import type { OrdinalSet } from "../segment/OrdinalSet.ts"
import { anyFieldContains, fieldContains, KIND, rankOf, type Value } from "../segment/SealedSegment.ts"
import type { Segment } from "../segment/Segment.ts"
import { FIELDS, PLACE, rootOf } from "../segment/TrieRoots.ts"
import { createdSecond, matchesChanged } from "./ChangedMatch.ts"
import type { CompiledQuery, Needle } from "./CompiledQuery.ts"

/*
 * The members of a segment that match a query: a bitset for each condition, combined 32 members at a time. A term that
 * is longer than the path to a leaf of the suffix trie yields candidates. They are verified last, when the other
 * conditions have excluded most of them ("filter and refine").
 */

export class SegmentHits {
  readonly segment: Segment
  readonly bits: Uint32Array
  /** Space for another set: the members that meet one condition, and later the hits of one class of relevance. */
  readonly scratch: Uint32Array
  /** The number of sealed members that are hits. */
  sealedCount = 0
  /** The sealed hit whose user id is the query; -1 if there is none. */
  userOrdinal = -1
  /** The changed members that are hits, in no order. */
  changed: ReadonlyArray<ChangedMember> = []

  constructor(segment: Segment) {
    this.segment = segment
    this.bits = Bitset.make(segment.sealed.size)
    this.scratch = Bitset.make(segment.sealed.size)
  }

  get count(): number {
    return this.sealedCount + this.changed.length
  }

  bytes(): number {
    return this.bits.byteLength + this.scratch.byteLength
  }

  /** Finds the hits. Returns the count. */
  find(query: CompiledQuery): number {
    this.changed = Array.from(this.segment.changed.values()).filter((changed) => matchesChanged(changed, query))
    this.#findSealed(query)
    return this.count
  }

  /** Removes a sealed member from the hits. */
  drop(ordinal: number): void {
    Bitset.drop(this.bits, ordinal)
    this.sealedCount -= 1
  }

  #findSealed(query: CompiledQuery): void {
    const { sealed } = this.segment
    const from = query.joinedFrom === -Infinity ? 0 : rankOf(sealed, { joinedAt: query.joinedFrom, high: 0, low: 0 })
    const to = query.joinedTo === Infinity
      ? sealed.size
      : rankOf(sealed, { joinedAt: query.joinedTo, high: Infinity, low: 0 })
    Bitset.fillRange(this.bits, from, to)
    this.userOrdinal = -1
    if (from < to) this.#keepAll(query)
    this.sealedCount = Bitset.count(this.bits)
  }

  #keepAll(query: CompiledQuery): void {
    const { gone, sealed } = this.segment
    const bots = sealed.sets[KIND.bot]?.get(true)
    for (const role of query.roles) this.#keep(sealed.sets[KIND.role]?.get(role))
    if (query.sources.length > 0) this.#keepAnyOf(query.sources, sealed.sets[KIND.source])
    if (query.invites.length > 0) this.#keepAnyOf(query.invites, sealed.sets[KIND.invite])
    if (query.isBot === true) this.#keep(bots)
    if (query.isBot === false) bots?.subtractFrom(this.bits)
    if (query.createdFrom !== -Infinity || query.createdTo !== Infinity) this.#keepCreated(query)
    if (gone !== undefined) Bitset.subtract(this.bits, gone)
    if (query.terms.length > 0) this.#keepText(query)
  }

  #keep(set: OrdinalSet | undefined): void {
    if (set === undefined) this.bits.fill(0)
    else set.intersectInto(this.bits, this.scratch)
  }

  #keepAnyOf(wanted: ReadonlyArray<Value>, sets: ReadonlyMap<Value, OrdinalSet> | undefined): void {
    this.scratch.fill(0)
    for (const one of wanted) sets?.get(one)?.uniteInto(this.scratch)
    Bitset.intersect(this.bits, this.scratch)
  }

  #keepCreated({ createdFrom, createdTo, epoch }: CompiledQuery): void {
    const { users } = this.segment.sealed
    const from = users.rankWhereMade((millis) => createdSecond(millis, epoch) >= createdFrom)
    const to = users.rankWhereMade((millis) => createdSecond(millis, epoch) > createdTo)
    users.fill(this.scratch, from, Math.max(from, to))
    Bitset.intersect(this.bits, this.scratch)
  }

  /** Keeps the members that have all terms, each in any field, and the user whose id is the query. */
  #keepText({ termsByLength, user }: CompiledQuery): void {
    const { sealed } = this.segment
    const ordinal = user === undefined ? -1 : sealed.users.find(user.high, user.low)
    if (ordinal !== -1 && Bitset.has(this.bits, ordinal)) this.userOrdinal = ordinal
    const unsure: Array<Needle> = []
    for (const [index, term] of termsByLength.entries()) {
      if (!Bitset.hasMoreThan(this.bits, this.bits.length / FEW_HITS)) {
        unsure.push(...termsByLength.slice(index))
        break
      }
      const isExact = this.#collect(term, termsByLength.length === 1)
      if (!isExact) unsure.push(term)
      Bitset.intersect(this.bits, this.scratch)
    }
    if (unsure.length > 0) this.#verify(unsure)
    if (this.userOrdinal !== -1) Bitset.insert(this.bits, this.userOrdinal)
  }

  /**
   * Sets `scratch` to the hits that have, or may have, the term in any field. Returns whether the set is exact. If one
   * field gives an exact set for the only term, candidates of the other fields are verified here; otherwise all hits
   * would have to be verified. With several terms, few candidates are left to verify.
   */
  #collect(term: Needle, isOnly: boolean): boolean {
    const { scratch, segment: { sealed: { trie } } } = this
    let isRefining = false
    const unsure: Array<{ readonly field: number; readonly from: number; readonly to: number }> = []
    for (let field = 0; field < FIELDS; field += 1) {
      trie.walkBest(rootOf(field, PLACE.anywhere), term.bytes, term.end)
      const { bits, from, isExact, to } = trie
      if (field === 0 && bits !== undefined) scratch.set(bits)
      else if (field === 0) scratch.fill(0)
      if (!isExact) unsure.push({ field, from, to })
      else if (from < to) {
        isRefining = isOnly
        trie.uniteInto(scratch)
      }
    }
    for (const { field, from, to } of unsure) {
      for (let at = from; at < to; at += 1) {
        const ordinal = trie.ordinals[at] ?? 0
        if (!isRefining || this.#isNewHit(ordinal, field, term)) Bitset.insert(scratch, ordinal)
      }
    }
    return isRefining || unsure.length === 0
  }

  #isNewHit(ordinal: number, field: number, { bytes, end }: Needle): boolean {
    return !Bitset.has(this.scratch, ordinal) && Bitset.has(this.bits, ordinal) &&
      fieldContains(this.segment.sealed, field, PLACE.anywhere, ordinal, bytes, end)
  }

  /** Keeps the hits whose text contains all needles. */
  #verify(needles: ReadonlyArray<Needle>): void {
    const { sealed } = this.segment
    Bitset.forEach(this.bits, (ordinal) => {
      if (!needles.every(({ bytes, end }) => anyFieldContains(sealed, ordinal, bytes, end))) {
        Bitset.drop(this.bits, ordinal)
      }
    })
  }
}

/** If fewer than one bit in this many words is set, checking texts is cheaper than making more bitsets. */
const FEW_HITS = 16
