import type { UserId } from "@community-messaging/domain/account/User"
import type { IndexLimits } from "../IndexLimits.ts"
import { has } from "./Bitset.ts"
import type { ChangedMember } from "./ChangedMember.ts"
import { CollectedMembers } from "./CollectedMembers.ts"
import { comparePlaces } from "./JoinPlace.ts"
import { Segment } from "./Segment.ts"
import { seal } from "./SegmentSealing.ts"
import { halvesOf } from "./SnowflakeHalves.ts"
import { SortingSpace } from "./SuffixSorting.ts"

/** The content of a segment when its resealing began. */
interface Snapshot {
  readonly segment: Segment
  readonly gone: Uint32Array | undefined
  /** The changed members in join order. */
  readonly changed: ReadonlyArray<ChangedMember>
}

const snapshotOf = (segment: Segment): Snapshot => ({
  segment,
  gone: segment.gone?.slice(),
  changed: [...segment.changed.values()].toSorted(comparePlaces)
})

/**
 * Makes new segments of neighbouring segments and their changes: one, or two if one would be too large. It works in
 * steps, while the old segments are searched and changed. Changes in the meantime are recorded, and applied at the end.
 */
export class Resealing {
  readonly sources: ReadonlyArray<Segment>
  readonly #work: Generator<undefined, ReadonlyArray<Segment>>
  readonly #noted = new Set<UserId>()
  readonly #space = new SortingSpace()

  constructor(sources: readonly [Segment, ...ReadonlyArray<Segment>], limits: IndexLimits) {
    this.sources = sources
    this.#work = reseal(sources.map(snapshotOf), sources[0], this.#space, limits)
  }

  bytes(): number {
    return this.#space.bytes()
  }

  /** Records that a member was set or removed, in any segment. */
  recordChange(userId: UserId): void {
    this.#noted.add(userId)
  }

  /** Performs the next step. Returns the new segments when they are complete. */
  step(): ReadonlyArray<Segment> | undefined {
    const { done, value } = this.#work.next()
    if (done !== true) return undefined
    for (const userId of this.#noted) this.#takeOver(userId, value)
    return value
  }

  /** Applies the current state of the member to the new segments. */
  #takeOver(userId: UserId, segments: ReadonlyArray<Segment>): void {
    const { high, low } = halvesOf(userId)
    for (const segment of segments) segment.remove(userId, high, low)
    for (const source of this.sources) {
      const changed = source.changed.get(userId)
      if (changed === undefined) continue
      const target = segments.findLast(({ lowest }) => comparePlaces(lowest, changed) <= 0) ?? segments[0]
      target?.add(changed.member)
    }
  }
}

/** The number of ordinals that are copied between two pauses is `entriesAtOnce` divided by this. */
const ENTRIES_PER_MEMBER = 16

function* reseal(
  snapshots: ReadonlyArray<Snapshot>,
  first: Segment,
  space: SortingSpace,
  limits: IndexLimits
): Generator<undefined, ReadonlyArray<Segment>> {
  const size = snapshots.reduce((sum, { changed, segment }) => sum + segment.sealed.size + changed.length, 0) -
    snapshots.reduce((sum, { segment }) => sum + segment.goneCount, 0)
  const perSegment = Math.ceil(size / Math.max(1, Math.ceil(size / limits.segmentMembers)))
  const all = yield* collect(snapshots, perSegment, limits)
  const segments: Array<Segment> = []
  for (const members of all) {
    const sealed = yield* seal(members, space, limits)
    segments.push(segments.length === 0 ? new Segment(sealed, first.lowest) : new Segment(sealed))
  }
  return segments
}

/** Copies the members in order, up to a maximum number to each new segment. */
function* collect(
  snapshots: ReadonlyArray<Snapshot>,
  perSegment: number,
  limits: IndexLimits
): Generator<undefined, ReadonlyArray<CollectedMembers>> {
  const membersAtOnce = Math.max(1, Math.floor(limits.entriesAtOnce / ENTRIES_PER_MEMBER))
  let members = new CollectedMembers(perSegment)
  const all = [members]
  const roomy = () => {
    if (members.size === perSegment) {
      members = new CollectedMembers(perSegment)
      all.push(members)
    }
    return members
  }
  for (const { changed, gone, segment: { sealed } } of snapshots) {
    // By source ordinal: its ordinal in the new segment, and the index of that segment.
    const moved = new Int32Array(sealed.size).fill(-1)
    const target = new Uint8Array(sealed.size)
    let nextChanged = 0
    for (let ordinal = 0; ordinal <= sealed.size; ordinal += 1) {
      for (
        let other = changed[nextChanged];
        other !== undefined && other.rank <= ordinal;
        other = changed[nextChanged]
      ) {
        roomy().add(other.member)
        nextChanged += 1
      }
      if (ordinal === sealed.size) break
      if (gone === undefined || !has(gone, ordinal)) {
        const to = roomy()
        moved[ordinal] = to.size
        target[ordinal] = all.length - 1
        to.copy(sealed, ordinal)
      }
      if (ordinal % membersAtOnce === 0) yield
    }
    for (const [index, to] of all.entries()) {
      yield* to.copySets(sealed.sets, moved.map((now, ordinal) => target[ordinal] === index ? now : -1))
    }
  }
  return all
}
