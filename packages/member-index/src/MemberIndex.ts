import type { UserId } from "@community-messaging/domain/account/User"
import type { MemberQuery } from "@community-messaging/domain/member-search/MemberQuery"
import type { IndexedMember } from "./IndexedMember.ts"

/** One page of a search: the user ids of its members in order. The members themselves are in the storage. */
export interface FoundIds {
  readonly userIds: ReadonlyArray<UserId>
  /** The exact number of all members that match. */
  readonly total: number
}

/** The index of one guild's members. Its results equal those of `MemberMatch.search` over the members that were set. */
export interface MemberIndex {
  /** Returns the number of members. */
  readonly size: () => number
  /** Returns the memory of the index in bytes. */
  readonly bytes: () => number
  readonly search: (query: MemberQuery) => FoundIds
  /** Inserts or updates the member. The next search sees the change. */
  readonly set: (member: IndexedMember) => void
  /** Removes the member. Does nothing if it is not in the index. */
  readonly remove: (userId: UserId) => void
  /** Performs the next step of pending maintenance, at most about a millisecond. Returns false if nothing is left. */
  readonly maintain: () => boolean
}

/**
 * Builds an index: `add` all members with a `step` from time to time, then `end`, `step` until it returns false,
 * `finish`.
 */
export interface MemberIndexBuilder {
  /**
   * Adds the next member. Members must be added ordered by `joinedAt`, then by user id, unless they fit into one segment,
   * which sorts them.
   */
  readonly add: (member: IndexedMember) => void
  /** Ends the input. After that, steps also seal the last members; without it, `finish` does. */
  readonly end: () => void
  /** Performs the next step of pending work, at most about a millisecond. Returns false if nothing is left. */
  readonly step: () => boolean
  /** Returns the index of all added members. Does all pending work at once: none after `end` and all steps. */
  readonly finish: () => MemberIndex
}
