import type { UserId } from "@community-messaging/domain/account/User"
import type { ChangedMember } from "../segment/ChangedMember.ts"
import { shortLength } from "../segment/EncodedText.ts"
import { userIdOf } from "../segment/UserIdHalves.ts"
import type { CompiledQuery } from "./CompiledQuery.ts"
import { classOf, lengthOfField } from "./Relevance.ts"
import type { SegmentHits } from "./SegmentHits.ts"

/*
 * A hit as one number, its code: its segment, whether it is a changed member, and its ordinal or its index among the
 * changed members.
 */

const CHANGED = 0x1_0000
const SEGMENT = 0x2_0000
const SEGMENT_SHIFT = 17

/** Returns the code of the sealed member with this ordinal in the segment with this index. */
export const sealedCode = (index: number, ordinal: number): number => index * SEGMENT + ordinal

export const isSealed = (code: number): boolean => (code & CHANGED) === 0
export const segmentOf = (code: number): number => code >>> SEGMENT_SHIFT
export const ordinalOf = (code: number): number => code & 0xffff

/** Receives the sort key of a hit: its length, and its user id in halves. */
export interface HitTarget<A> {
  readonly add: (code: number, length: number, high: number, low: number) => A
}

/** Decodes the codes of the hits of some segments. */
export class HitCodes {
  readonly #segments: ReadonlyArray<SegmentHits>
  /** By segment: the classes of its changed members. */
  readonly #changedClasses: ReadonlyArray<ReadonlyArray<number>>

  constructor(segments: ReadonlyArray<SegmentHits>, query: CompiledQuery) {
    this.#segments = segments
    this.#changedClasses = segments.map(({ changed }) => changed.map(({ member }) => classOf(member, query)))
  }

  /** Visits the changed members of the segment in the class with this number. */
  forEachChanged(index: number, classNumber: number, visit: (code: number) => void): void {
    const classes = this.#changedClasses[index] ?? []
    for (let place = 0; place < classes.length; place += 1) {
      if (classes[place] === classNumber) visit(index * SEGMENT + CHANGED + place)
    }
  }

  /** Adds the hit to the target with its length in the field. Returns the target's result. */
  addTo<A>(target: HitTarget<A>, code: number, field: number): A {
    const changed = this.#changedOf(code)
    if (changed !== undefined) {
      return target.add(code, lengthOfField(changed.member, field), changed.high, changed.low)
    }
    const ordinal = ordinalOf(code)
    const sealed = this.#segments[segmentOf(code)]?.segment.sealed
    return target.add(
      code,
      sealed?.lengthOf(field, ordinal) ?? 0,
      sealed?.ids.high[ordinal] ?? 0,
      sealed?.ids.low[ordinal] ?? 0
    )
  }

  shortLength(code: number, field: number): number {
    const changed = this.#changedOf(code)
    return changed === undefined
      ? this.#segments[segmentOf(code)]?.segment.sealed.lengths[field]?.short[ordinalOf(code)] ?? 0
      : shortLength(lengthOfField(changed.member, field))
  }

  userId(code: number): UserId {
    const changed = this.#changedOf(code)
    if (changed !== undefined) return changed.member.userId
    const ids = this.#segments[segmentOf(code)]?.segment.sealed.ids
    return userIdOf(ids?.high[ordinalOf(code)] ?? 0, ids?.low[ordinalOf(code)] ?? 0)
  }

  #changedOf(code: number): ChangedMember | undefined {
    return isSealed(code) ? undefined : this.#segments[segmentOf(code)]?.changed[ordinalOf(code)]
  }
}
