import type { UserId } from "@community-messaging/domain/account/User"
import type { GuildId } from "@community-messaging/domain/guild/Guild"
import type { GuildMember } from "@community-messaging/domain/guild/GuildMember"
import type { StorageError } from "@community-messaging/domain/shared-kernel/StorageError"
import type { Effect, Option, Scope } from "effect"
import type { IndexedMember } from "./IndexedMember.ts"

/*
 * What the keeper of indexes asks of a storage. The storage numbers the changes of members in the order of their commits,
 * whoever made them; a position is the number of the last change that somebody knows of, 0 before the first.
 */

/** Who joined, left or changed, one after the other; the last of them is at that position. */
export interface MemberChanges {
  readonly changes: ReadonlyArray<{ readonly guildId: GuildId; readonly userId: UserId }>
  readonly position: number
}

/** Members as they are at that position. */
export interface MembersAt<Member> {
  readonly members: ReadonlyArray<Member>
  readonly position: number
}

/** Short reads, each of one committed state. */
export interface MemberReader {
  /** The first changes after that position, up to so many; none where the storage does not know them any more. */
  readonly changesAfter: (position: number, limit: number) => Effect.Effect<Option.Option<MemberChanges>, StorageError>
  /** What the index takes of those who are members. */
  readonly indexed: (
    guildId: GuildId,
    userIds: ReadonlyArray<UserId>
  ) => Effect.Effect<MembersAt<IndexedMember>, StorageError>
  /** Those who are members, in the order in which they are asked for. */
  readonly page: (
    guildId: GuildId,
    userIds: ReadonlyArray<UserId>
  ) => Effect.Effect<MembersAt<GuildMember>, StorageError>
}

/** A guild's members as they are at one position, however long the reading takes. */
export interface MembersSnapshot {
  readonly position: number
  /** How many members there are, counted up to so many. */
  readonly count: (limit: number) => Effect.Effect<number, StorageError>
  /** The members in the order of `joinedAt`, then of user id. */
  readonly byJoining: MemberPieces
  /** The members in the order of user ids, in which a storage may read them faster. */
  readonly byUserId: MemberPieces
}

/** The next members of all: few enough to be read in about 5 ms, perhaps none yet. None when there are no more. */
export type MemberPieces = Effect.Effect<Option.Option<ReadonlyArray<IndexedMember>>, StorageError>

/** The members of all guilds, as they are committed. */
export interface CommittedMembers {
  readonly read: <A, E>(use: (reader: MemberReader) => Effect.Effect<A, E>) => Effect.Effect<A, E | StorageError>
  /** Holds a guild's members as they are until the scope closes; neither writers nor readers wait for it. */
  readonly snapshot: (guildId: GuildId) => Effect.Effect<MembersSnapshot, StorageError, Scope.Scope>
}
