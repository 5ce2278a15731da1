import type { UserId } from "@community-messaging/domain/account/User"
import type { MemberQuery } from "@community-messaging/domain/member-search/MemberQuery"
import type { IndexedMember } from "./IndexedMember.ts"

/** One page of a search: who is on it, in order, and the exact number of all that match. */
export interface FoundMembers {
  readonly userIds: ReadonlyArray<UserId>
  readonly total: number
}

/** The index of one guild's members. It answers as `MemberMatch.search` does, of what it was told. */
export interface MemberIndex {
  /** How many members it holds. */
  readonly size: () => number
  /** The memory it takes, in bytes. */
  readonly bytes: () => number
  readonly search: (query: MemberQuery) => FoundMembers
  /** Takes the member as it is now, new or changed: the next search knows. */
  readonly set: (member: IndexedMember) => void
  /** Forgets the member; one that it does not hold is no error. */
  readonly remove: (userId: UserId) => void
  /** Does the next piece of what changes have left to do, at most about a millisecond; false when nothing is left. */
  readonly maintain: () => boolean
}

/** An index in the making: `add` all, taking a `step` now and then, `end`, `step` until nothing is left, `finish`. */
export interface MemberIndexBuilder {
  /** Takes the next member, in the order of `joinedAt`, then of user id. */
  readonly add: (member: IndexedMember) => void
  /** Tells that no more are added. Only then do the steps seal the last members too, which otherwise `finish` does. */
  readonly end: () => void
  /** Does a piece of what is left to do for those that were added, at most about a millisecond; false when nothing is. */
  readonly step: () => boolean
  /** The index of all that were added; does at once what is left to do: nothing, after `end` and all the steps. */
  readonly finish: () => MemberIndex
}
