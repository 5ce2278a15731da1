import type { UserId } from "@community-messaging/domain/account/User"
import { type ChangedMember, lengthOf } from "../segment/ChangedMember.ts"
import { shortLength } from "../segment/EncodedText.ts"
import { fieldLength } from "../segment/SealedSegment.ts"
import { userIdOf } from "../segment/SnowflakeHalves.ts"
import type { CompiledQuery } from "./CompiledQuery.ts"
import { CLASSES, classOf } from "./Relevance.ts"
import type { SegmentHits } from "./SegmentHits.ts"
import type { Selection } from "./Selection.ts"

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

/** The hits of a search by relevance. */
export class SearchHits {
  readonly segments: ReadonlyArray<SegmentHits>
  readonly query: CompiledQuery
  /** Orders the hits of one class at a time. */
  readonly selection: Selection
  /** By class: the hits that are changed members. */
  readonly changed: ReadonlyArray<ReadonlyArray<number>>

  constructor(segments: ReadonlyArray<SegmentHits>, query: CompiledQuery, selection: Selection) {
    this.segments = segments
    this.query = query
    this.selection = selection
    const changed = CLASSES.map((): Array<number> => [])
    for (const [index, hits] of segments.entries()) {
      for (const [place, { member, text }] of hits.changed.entries()) {
        changed[classOf(text, member.userId === query.user?.userId, query)]?.push(index * SEGMENT + CHANGED + place)
      }
    }
    this.changed = changed
  }

  /** Adds the hit to the selection, by its length in the field. Returns false if it is not among the best. */
  select(hit: number, field: number): boolean {
    const changed = this.#changedOf(hit)
    if (changed !== undefined) return this.selection.add(hit, lengthOf(changed, field), changed.high, changed.low)
    const ordinal = ordinalOf(hit)
    const sealed = this.segments[segmentOf(hit)]?.segment.sealed
    return this.selection.add(
      hit,
      sealed === undefined ? 0 : fieldLength(sealed, field, ordinal),
      sealed?.ids.high[ordinal] ?? 0,
      sealed?.ids.low[ordinal] ?? 0
    )
  }

  shortLength(hit: number, field: number): number {
    const changed = this.#changedOf(hit)
    return changed === undefined
      ? this.segments[segmentOf(hit)]?.segment.sealed.lengths[field]?.[ordinalOf(hit)] ?? 0
      : shortLength(lengthOf(changed, field))
  }

  userId(hit: number): UserId {
    const changed = this.#changedOf(hit)
    if (changed !== undefined) return changed.member.userId
    const ids = this.segments[segmentOf(hit)]?.segment.sealed.ids
    return userIdOf(ids?.high[ordinalOf(hit)] ?? 0, ids?.low[ordinalOf(hit)] ?? 0)
  }

  #changedOf(hit: number): ChangedMember | undefined {
    return isSealed(hit) ? undefined : this.segments[segmentOf(hit)]?.changed[ordinalOf(hit)]
  }
}
