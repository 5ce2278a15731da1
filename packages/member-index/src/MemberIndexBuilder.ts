import type { EncodedMembers } from "./EncodedMembers.ts"
import type { IndexedMember } from "./IndexedMember.ts"
import { INDEX_LIMITS, type IndexLimits } from "./IndexLimits.ts"
import { MemberIndex } from "./MemberIndex.ts"
import { CollectedMembers } from "./segment/CollectedMembers.ts"
import type { SealedSegment } from "./segment/SealedSegment.ts"
import { Segment } from "./segment/Segment.ts"
import { seal } from "./segment/SegmentSealing.ts"
import { SortingSpace } from "./segment/SuffixSorting.ts"

/** The initial capacity of columns. A full column doubles. */
const FIRST_CAPACITY = 1024

/**
 * Builds the index of one guild: add all members with a `step` from time to time, then `end`, `step` until it returns false,
 * `finish`.
 */
export class MemberIndexBuilder {
  readonly #epoch: number
  readonly #limits: IndexLimits
  readonly #space = new SortingSpace()
  readonly #segments: Array<Segment> = []
  /** The members of the current segment. */
  #members = new CollectedMembers(FIRST_CAPACITY)
  /** Full segments that are not sealed yet. */
  readonly #full: Array<CollectedMembers> = []
  #sealing: Generator<undefined, SealedSegment> | undefined

  /** `epoch` is the epoch of snowflakes in Unix milliseconds. */
  constructor(epoch: number, limits: IndexLimits = INDEX_LIMITS) {
    this.#epoch = epoch
    this.#limits = limits
  }

  /**
   * Adds the next member. Members must be added ordered by `joinedAt`, then by user id, unless they fit into one segment,
   * which sorts them.
   */
  readonly add = (member: IndexedMember): void => {
    this.#endIfFull()
    this.#members.add(member)
  }

  /**
   * Adds the next of the encoded members, like `add`. Returns false if it has an invalid field; then no index can be built.
   */
  readonly addEncoded = (members: EncodedMembers): boolean => {
    this.#endIfFull()
    return this.#members.addEncoded(members)
  }

  #endIfFull(): void {
    if (this.#members.size === this.#limits.segmentMembers) this.end()
  }

  /** Ends the input. After that, steps also seal the last members; without it, `finish` does. */
  readonly end = (): void => {
    if (this.#members.size === 0) return
    this.#full.push(this.#members)
    this.#members = new CollectedMembers(this.#members.size)
  }

  /** Performs the next step of pending work, at most about a millisecond. Returns false if nothing is left. */
  readonly step = (): boolean => {
    if (this.#sealing === undefined) {
      const members = this.#full.shift()
      if (members === undefined) return false
      this.#sealing = seal(members, this.#space, this.#limits)
    }
    const { done, value } = this.#sealing.next()
    if (done === true) {
      this.#segments.push(new Segment(value))
      this.#sealing = undefined
    }
    return true
  }

  /** Returns the index of all added members. Does all pending work at once: none after `end` and all steps. */
  readonly finish = (): MemberIndex => {
    this.end()
    let isLeft = true
    while (isLeft) isLeft = this.step()
    return new MemberIndex(this.#segments, this.#epoch, this.#limits)
  }
}
