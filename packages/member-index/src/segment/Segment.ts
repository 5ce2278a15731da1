import type { UserId } from "@community-messaging/domain/account/User"
import type { IndexedMember } from "../IndexedMember.ts"
import * as Bitset from "./Bitset.ts"
import { changedMember } from "./ChangedMember.ts"
import { ChangedMembers } from "./ChangedMembers.ts"
import type { SealedSegment } from "./SealedSegment.ts"
import { compareHalves } from "./UserIdHalves.ts"

/** The place of a member in join order. */
export interface JoinPlace {
  readonly joinedAt: number
  readonly high: number
  readonly low: number
}

export const comparePlaces = (self: JoinPlace, that: JoinPlace): number =>
  self.joinedAt === that.joinedAt
    ? compareHalves(self.high, self.low, that.high, that.low)
    : self.joinedAt - that.joinedAt

/**
 * A sealed segment and its later changes. A changed member is marked as gone in the sealed segment. Its current state is one
 * of the changed members, which are searched one by one. When there are many of them, the segment is resealed.
 */
export class Segment {
  readonly sealed: SealedSegment
  /** The lower bound of this segment in join order. Its members are from here up to the next segment's bound. */
  readonly lowest: JoinPlace
  readonly changed = new ChangedMembers()
  #gone: Uint32Array | undefined
  #goneCount = 0

  constructor(sealed: SealedSegment, lowest: JoinPlace) {
    this.sealed = sealed
    this.lowest = lowest
  }

  get size(): number {
    return this.sealed.size - this.#goneCount + this.changed.size
  }

  /** The sealed members that were removed or changed; undefined if there are none. */
  get gone(): Uint32Array | undefined {
    return this.#gone
  }

  get goneCount(): number {
    return this.#goneCount
  }

  bytes(): number {
    return this.sealed.bytes + (this.#gone?.byteLength ?? 0) + this.changed.bytes()
  }

  /** Adds a member that is not in this segment. */
  add(member: IndexedMember): void {
    this.changed.add(changedMember(member, (joinedAt, high, low) => this.sealed.rankOf(joinedAt, high, low)))
  }

  /** Removes the member. Returns false if it is not in this segment. */
  remove(userId: UserId, high: number, low: number): boolean {
    if (this.changed.delete(userId)) return true
    const ordinal = this.sealed.users.find(high, low)
    return ordinal !== -1 && this.#loseOrdinal(ordinal)
  }

  /** Like `remove`, but faster, for a member with this place in join order. */
  removeAt(userId: UserId, { high, joinedAt, low }: JoinPlace): boolean {
    if (this.changed.delete(userId)) return true
    const ordinal = this.sealed.rankOf(joinedAt, high, low)
    const { ids } = this.sealed
    return ids.high[ordinal] === high && ids.low[ordinal] === low && this.#loseOrdinal(ordinal)
  }

  #loseOrdinal(ordinal: number): boolean {
    this.#gone ??= Bitset.make(this.sealed.size)
    if (Bitset.has(this.#gone, ordinal)) return false
    Bitset.insert(this.#gone, ordinal)
    this.#goneCount += 1
    return true
  }
}
