import type { UserId } from "@community-messaging/domain/account/User"
import type { GuildId } from "@community-messaging/domain/guild/Guild"
import type { MemberQuery } from "@community-messaging/domain/member-search/MemberQuery"
import type { StorageError } from "@community-messaging/domain/shared-kernel/StorageError"
import type { Effect, Option } from "effect"

/** What a guild's index answers: who is on the page. The members themselves are in the storage. */
export interface FoundMembers {
  readonly userIds: ReadonlyArray<UserId>
  /** The number of all members that match. */
  readonly total: number
  /** The index has all changes up to this position. Whether the guild has later ones, the storage tells with the page. */
  readonly position: number
  /** The number of the build of the index: an index that is built anew has another one. */
  readonly build: number
}

/** Why an answer did not match the storage. */
export interface Mismatch {
  /** The position of that answer, and the build of the index that gave it. */
  readonly position: number
  readonly build: number
  /** Whether the guild may have changed after that position. Otherwise, it changed and the storage's log does not tell. */
  readonly isChanged: boolean
}

/** What a guild's index is asked. */
export interface IndexQuestion {
  readonly guildId: GuildId
  readonly query: MemberQuery
  /** How the answer before did not match the storage: the index is brought up to date, or built anew. */
  readonly mismatch: Option.Option<Mismatch>
}

/**
 * Asks a guild's index, until about the deadline, in milliseconds of `performance.now`. None while the index is being built,
 * or cannot be brought up to date in time.
 */
export type FindMembers = (
  question: IndexQuestion,
  deadline: number
) => Effect.Effect<Option.Option<FoundMembers>, StorageError>
