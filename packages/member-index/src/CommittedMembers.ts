import type { UserId } from "@community-messaging/domain/account/User"
import type { GuildId } from "@community-messaging/domain/guild/Guild"
import type { GuildMember } from "@community-messaging/domain/guild/GuildMember"
import type { MemberRoles } from "@community-messaging/domain/guild/GuildPermissions"
import type { MembershipRepository } from "@community-messaging/domain/guild/MembershipRepository"
import type { StorageError } from "@community-messaging/domain/shared-kernel/StorageError"
import type { Effect, Option, Scope } from "effect"
import type { IndexedMember } from "./IndexedMember.ts"
import type { MemberIndexBuilder } from "./MemberIndexBuilder.ts"

/*
 * The port between the index and a storage. The storage numbers all changes of members in commit order; a change of any
 * field of `GuildMember` counts. A position is the number of the last known change, 0 before the first.
 */

/** Changes of members in order. `position` is the position of the last change. */
export interface MemberChanges {
  readonly changes: ReadonlyArray<{ readonly guildId: GuildId; readonly userId: UserId }>
  readonly position: number
}

/** Reads members at a position. */
export type MembersAt<Member> = (
  guildId: GuildId,
  userIds: ReadonlyArray<UserId>,
  position: number
) => Effect.Effect<Option.Option<ReadonlyArray<Member>>, StorageError>

/** Short reads. Each sees one committed state. */
export interface MemberReader {
  /** Returns up to `limit` changes after this position; none if the storage no longer has them. */
  readonly changesAfter: (position: number, limit: number) => Effect.Effect<Option.Option<MemberChanges>, StorageError>
  /**
   * Returns the indexed members with these ids; none if members of the guild may have changed after this position. Ids of
   * non-members are left out.
   */
  readonly indexed: MembersAt<IndexedMember>
  /**
   * Returns the members with these ids, in the order of the ids; none if members of the guild may have changed after this
   * position. Ids of non-members are left out.
   */
  readonly page: MembersAt<GuildMember>
}

/** Up to this many members may be read in any order: they are sorted in memory, which takes some milliseconds. */
export const MAX_IN_ANY_ORDER = 20_000

/** A snapshot of a guild's members at one position. */
export interface MembersSnapshot {
  readonly position: number
  /** Returns the number of members, at most `limit`. */
  readonly count: (limit: number) => Effect.Effect<number, StorageError>
  /** Adds the members ordered by `joinedAt`, then by user id. Up to `MAX_IN_ANY_ORDER` members may come in any order. */
  readonly addNext: AddNextMembers
}

/** Adds the next members: as many as can be read in about 5 ms, possibly zero. Returns false at the end. */
export type AddNextMembers = (builder: MemberIndexBuilder) => Effect.Effect<boolean, StorageError>

/** Returns whether a state at the position is known to have the last change of a guild. */
export type HasLastChange = (position: number) => boolean

/** A caller, as of `MembershipRepository.findWithRoles`. */
export type Caller = Option.Option<MemberRoles>

/** Reads something for a caller in a guild. */
export type ForCaller<A> = (callerId: UserId, guildId: GuildId) => Effect.Effect<A, StorageError>

/** The committed members of all guilds. */
export interface CommittedMembers {
  readonly reader: MemberReader
  readonly caller: MembershipRepository["Type"]["findWithRoles"]
  /** Reads a caller, and the last change of the guild, preferably both at once. */
  readonly callerWithLastChange: ForCaller<{ readonly caller: Caller; readonly hasLastChange: HasLastChange }>
  /** Opens a snapshot of a guild's members until the scope closes. It blocks neither writers nor readers. */
  readonly snapshot: (guildId: GuildId) => Effect.Effect<MembersSnapshot, StorageError, Scope.Scope>
}
