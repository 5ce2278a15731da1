import type { UserId } from "@community-messaging/domain/account/User"
import type { MemberQuery } from "@community-messaging/domain/member-search/MemberQuery"
import type { IndexedMember } from "./IndexedMember.ts"
import type { IndexLimits } from "./IndexLimits.ts"
import { compile, type CompiledQuery } from "./search/CompiledQuery.ts"
import * as FewRanks from "./search/FewRanks.ts"
import * as FirstRanks from "./search/FirstRanks.ts"
import { pageByJoining } from "./search/JoinedOrder.ts"
import * as RelevanceOrder from "./search/RelevanceOrder.ts"
import { SearchHits } from "./search/SearchHits.ts"
import { SegmentHits } from "./search/SegmentHits.ts"
import { Selection } from "./search/Selection.ts"
import { comparePlaces, type JoinPlace } from "./segment/JoinPlace.ts"
import { Resealing } from "./segment/Resealing.ts"
import { rankOf } from "./segment/SealedSegment.ts"
import { Segment } from "./segment/Segment.ts"
import { emptySegment } from "./segment/SegmentSealing.ts"
import { halvesOf } from "./segment/SnowflakeHalves.ts"

/** One page of a search: the user ids of its members in order. The members themselves are in the storage. */
export interface FoundIds {
  readonly userIds: ReadonlyArray<UserId>
  /** The exact number of all members that match. */
  readonly total: number
}

/**
 * The index of one guild's members: segments in join order, each with a sealed part and the changes since it was sealed. Its
 * results equal those of `MemberMatch.search` over the members that were set.
 */
export class MemberIndex {
  readonly #epoch: number
  readonly #limits: IndexLimits
  /** The segments in join order, each with space for its hits. */
  #segments: ReadonlyArray<SegmentHits>
  readonly #selection = new Selection()
  #resealing: Resealing | undefined

  constructor(segments: ReadonlyArray<Segment>, epoch: number, limits: IndexLimits) {
    this.#epoch = epoch
    this.#limits = limits
    this.#segments = segments.map((segment) => new SegmentHits(segment))
  }

  /** Returns the number of members. */
  readonly size = (): number => this.#segments.reduce((sum, { segment }) => sum + segment.size, 0)

  /** Returns the memory of the index in bytes. */
  readonly bytes = (): number =>
    this.#segments.reduce(
      (sum, hits) => sum + hits.segment.bytes() + hits.bytes(),
      this.#selection.bytes() + (this.#resealing?.bytes() ?? 0)
    )

  readonly search = (query: MemberQuery): FoundIds => {
    const compiled = compile(query, this.#epoch)
    let total = 0
    for (const hits of this.#segments) total += hits.find(compiled)
    const { limit, offset } = query
    const isDescending = query.sortOrder === "desc"
    if (offset >= total) return { userIds: [], total }
    if (query.sortBy === "joinedAt" || compiled.terms.length === 0) {
      return { userIds: pageByJoining(this.#segments, isDescending, offset, limit), total }
    }
    const end = Math.min(offset + limit, total)
    // Descending is best first; ascending is the exact reverse.
    const userIds = isDescending
      ? this.#pageByRelevance(compiled, total, offset, end)
      : this.#pageByRelevance(compiled, total, total - end, total - offset).toReversed()
    return { userIds, total }
  }

  #pageByRelevance(query: CompiledQuery, total: number, from: number, to: number): ReadonlyArray<UserId> {
    const hits = new SearchHits(this.#segments, query, this.#selection)
    const isFew = total <= this.#segments.length * this.#limits.fewHits
    const page = isFew
      ? FewRanks.take(hits, from, to)
      : to <= this.#limits.firstRanks
      ? FirstRanks.take(hits, to).slice(from)
      : RelevanceOrder.take(hits, from, to)
    return page.map((hit) => hits.userId(hit))
  }

  /** Inserts or updates the member. The next search sees the change. */
  readonly set = (member: IndexedMember): void => {
    const { high, low } = halvesOf(member.userId)
    const place = { joinedAt: member.joinedAt, high, low }
    const segment = this.#at(place)
    // A member who did not leave and rejoin has the same place in join order.
    if (!segment.removeAt(member.userId, place)) this.#removeAnywhere(member.userId, high, low)
    this.#atOrTail(place).add(member)
    this.#resealing?.recordChange(member.userId)
  }

  /** Removes the member. Does nothing if it is not in the index. */
  readonly remove = (userId: UserId): void => {
    const { high, low } = halvesOf(userId)
    this.#removeAnywhere(userId, high, low)
    this.#resealing?.recordChange(userId)
  }

  /** Performs the next step of pending maintenance, at most about a millisecond. Returns false if nothing is left. */
  readonly maintain = (): boolean => {
    if (this.#resealing === undefined) {
      // The segment before a removed one gets its range.
      if (this.#segments.some(({ segment }) => segment.size === 0)) {
        this.#segments = this.#segments.filter(({ segment }) => segment.size > 0)
      }
      this.#resealing = this.#nextResealing()
    }
    if (this.#resealing === undefined) return false
    const segments = this.#resealing.step()
    if (segments !== undefined) {
      const { sources } = this.#resealing
      const first = this.#segments.findIndex(({ segment }) => segment === sources[0])
      this.#segments = this.#segments.toSpliced(
        first,
        sources.length,
        ...segments.map((segment) => new SegmentHits(segment))
      )
      this.#resealing = undefined
    }
    return true
  }

  /** Returns the segment of a place in join order. */
  #at(place: JoinPlace): Segment {
    const hits = this.#segments.findLast(({ segment }) => comparePlaces(segment.lowest, place) <= 0) ??
      this.#segments[0]
    return hits?.segment ?? this.#startTail(place)
  }

  #removeAnywhere(userId: UserId, high: number, low: number): void {
    for (const { segment } of this.#segments) if (segment.remove(userId, high, low)) return
  }

  /**
   * Like `#at`, but starts a new segment for a member who joins after all others if the last segment is large. New
   * members cause their segment to be resealed often, which should not copy a large segment each time.
   */
  #atOrTail(place: JoinPlace): Segment {
    const segment = this.#at(place)
    const { changed, sealed } = segment
    const isBehindAll = segment === this.#segments.at(-1)?.segment && sealed.size >= this.#limits.tailMembers &&
      rankOf(sealed, place) === sealed.size &&
      [...changed.values()].every((other) => comparePlaces(other, place) < 0)
    return isBehindAll ? this.#startTail(place) : segment
  }

  #startTail(lowest: JoinPlace): Segment {
    const tail = new Segment(emptySegment(this.#limits), lowest)
    this.#segments = [...this.#segments, new SegmentHits(tail)]
    return tail
  }

  /** Returns the next resealing: of a segment with many changes, or of two neighbours that fit into one segment. */
  #nextResealing(): Resealing | undefined {
    const segments = this.#segments.map(({ segment }) => segment)
    const { changedMembers, segmentMembers, tailMembers } = this.#limits
    const changed = segments.find(({ changed: { size }, goneCount, sealed }) =>
      size >= changedMembers || goneCount >= Math.max(changedMembers, sealed.size / GONE_SHARE)
    )
    if (changed !== undefined) return new Resealing([changed], this.#limits)
    for (const [index, left] of segments.entries()) {
      const right = segments[index + 1]
      if (right === undefined) return undefined
      const [smaller, larger] = left.size < right.size ? [left.size, right.size] : [right.size, left.size]
      // Merge only neighbours of similar size, as a log-structured merge tree does, so that each member is copied few
      // times.
      const areAlike = smaller * 2 >= larger && left.size + right.size <= segmentMembers
      const isGrowing = right === segments.at(-1) && right.size < tailMembers
      if (areAlike && !isGrowing) return new Resealing([left, right], this.#limits)
    }
    return undefined
  }
}

/** A segment is resealed when one in this many of its members is removed. */
const GONE_SHARE = 4
