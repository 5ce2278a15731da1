import type { UserId } from "@community-messaging/domain/account/User"
import type { IndexedMember } from "../IndexedMember.ts"
import * as Bitset from "./Bitset.ts"
import { type ChangedMember, changedMember } from "./ChangedMember.ts"
import type { JoinPlace } from "./JoinPlace.ts"
import { bytesOf, placeAt, rankOf, type SealedSegment } from "./SealedSegment.ts"

/** The estimated memory of a changed member in bytes: its objects, strings and slots. */
const BYTES_PER_CHANGED_MEMBER = 1000

/**
 * A sealed segment and its later changes. A changed member is marked as gone in the sealed segment. Its current state is one
 * of the changed members, which are searched one by one. When there are many of them, the segment is resealed.
 */
export class Segment {
  readonly sealed: SealedSegment
  /** The lower bound of this segment in join order. Its members are from here up to the next segment's bound. */
  readonly lowest: JoinPlace
  readonly changed = new Map<UserId, ChangedMember>()
  /** The sealed members that were removed or changed; undefined if there are none. */
  gone: Uint32Array | undefined
  goneCount = 0
  readonly #sealedBytes: number

  /** By default, the segment begins with its first member. */
  constructor(sealed: SealedSegment, lowest: JoinPlace = placeAt(sealed, 0)) {
    this.sealed = sealed
    this.lowest = lowest
    this.#sealedBytes = bytesOf(sealed)
  }

  get size(): number {
    return this.sealed.size - this.goneCount + this.changed.size
  }

  bytes(): number {
    return this.#sealedBytes + (this.gone?.byteLength ?? 0) + this.changed.size * BYTES_PER_CHANGED_MEMBER
  }

  /** Adds a member that is not in this segment. */
  add(member: IndexedMember): void {
    this.changed.set(member.userId, changedMember(member, this.sealed))
  }

  /** Removes the member. Returns false if it is not in this segment. */
  remove(userId: UserId, high: number, low: number): boolean {
    if (this.changed.delete(userId)) return true
    const ordinal = this.sealed.users.find(high, low)
    return ordinal !== -1 && this.#loseOrdinal(ordinal)
  }

  /** Like `remove`, but faster, for a member with this place in join order. */
  removeAt(userId: UserId, place: JoinPlace): boolean {
    if (this.changed.delete(userId)) return true
    const ordinal = rankOf(this.sealed, place)
    const { high, low } = this.sealed.ids
    return high[ordinal] === place.high && low[ordinal] === place.low && this.#loseOrdinal(ordinal)
  }

  #loseOrdinal(ordinal: number): boolean {
    this.gone ??= Bitset.make(this.sealed.size)
    if (Bitset.has(this.gone, ordinal)) return false
    Bitset.insert(this.gone, ordinal)
    this.goneCount += 1
    return true
  }
}
