import type { UserId } from "@community-messaging/domain/account/User"
import type { ChangedMember } from "../segment/ChangedMember.ts"
import { shortLength } from "../segment/EncodedText.ts"
import { userIdOf } from "../segment/UserIdHalves.ts"
import type { CompiledQuery } from "./CompiledQuery.ts"
import { classOf, lengthOfField } from "./Relevance.ts"
import type { SegmentHits } from "./SegmentHits.ts"

/*
 * A hit as one number, made of its segment, whether it is a changed member, and its ordinal or its index among the
 * changed members.
 */

const CHANGED = 0x1_0000
const SEGMENT = 0x2_0000
const SEGMENT_SHIFT = 17

/** Returns the hit of the sealed member with this ordinal in the segment with this index. */
export const sealedHit = (index: number, ordinal: number): number => index * SEGMENT + ordinal

const isSealed = (hit: number): boolean => (hit & CHANGED) === 0
const segmentOf = (hit: number): number => hit >>> SEGMENT_SHIFT
const ordinalOf = (hit: number): number => hit & 0xffff

/** Receives the sort key of a hit: its length, and its user id in halves. */
interface HitTarget<A> {
  readonly add: (hit: number, length: number, high: number, low: number) => A
}

/** Decodes the hits of some segments. */
export class HitNumbers {
  readonly #segments: ReadonlyArray<SegmentHits>
  /** By segment: the classes of its changed members. */
  readonly #changedClasses: ReadonlyArray<ReadonlyArray<number>>

  constructor(segments: ReadonlyArray<SegmentHits>, query: CompiledQuery) {
    this.#segments = segments
    this.#changedClasses = segments.map(({ changed }) => changed.map(({ member }) => classOf(member, query)))
  }

  /** Visits the changed members of the segment in the class with this number. */
  forEachChanged(index: number, classNumber: number, visit: (hit: number) => void): void {
    const classes = this.#changedClasses[index] ?? []
    for (let place = 0; place < classes.length; place += 1) {
      if (classes[place] === classNumber) visit(index * SEGMENT + CHANGED + place)
    }
  }

  /** Visits all changed members of the segment with the numbers of their classes. */
  forEachChangedClass(index: number, visit: (hit: number, classNumber: number) => void): void {
    const classes = this.#changedClasses[index] ?? []
    for (const [place, classNumber] of classes.entries()) visit(index * SEGMENT + CHANGED + place, classNumber)
  }

  /** Adds the hit to the target with its length in the field. Returns the target's result. */
  addTo<A>(target: HitTarget<A>, hit: number, field: number): A {
    const changed = this.#changedOf(hit)
    if (changed !== undefined) {
      return target.add(hit, lengthOfField(changed.member, field), changed.high, changed.low)
    }
    const ordinal = ordinalOf(hit)
    const sealed = this.#segments[segmentOf(hit)]?.segment.sealed
    return target.add(
      hit,
      sealed?.lengthOf(field, ordinal) ?? 0,
      sealed?.ids.high[ordinal] ?? 0,
      sealed?.ids.low[ordinal] ?? 0
    )
  }

  shortLength(hit: number, field: number): number {
    const changed = this.#changedOf(hit)
    return changed === undefined
      ? this.#segments[segmentOf(hit)]?.segment.sealed.lengths[field]?.[ordinalOf(hit)] ?? 0
      : shortLength(lengthOfField(changed.member, field))
  }

  userId(hit: number): UserId {
    const changed = this.#changedOf(hit)
    if (changed !== undefined) return changed.member.userId
    const ids = this.#segments[segmentOf(hit)]?.segment.sealed.ids
    return userIdOf(ids?.high[ordinalOf(hit)] ?? 0, ids?.low[ordinalOf(hit)] ?? 0)
  }

  #changedOf(hit: number): ChangedMember | undefined {
    return isSealed(hit) ? undefined : this.#segments[segmentOf(hit)]?.changed[ordinalOf(hit)]
  }
}
