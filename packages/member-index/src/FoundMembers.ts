import type { GuildId } from "@community-messaging/domain/guild/Guild"
import type { MemberQuery } from "@community-messaging/domain/member-search/MemberQuery"
import type { StorageError } from "@community-messaging/domain/shared-kernel/StorageError"
import type { Effect, Option } from "effect"
import type { FoundIds } from "./MemberIndex.ts"

/** The result of a guild's index. */
export interface FoundMembers extends FoundIds {
  /** The index has all changes up to this position. The read of the page shows whether it needs later ones. */
  readonly position: number
  /** The number of the build of the index: an index that is built again has another number. */
  readonly build: number
}

/** Why a result did not match the storage. */
export interface Mismatch {
  /** The position of the result, and the build of the index that returned it. */
  readonly position: number
  readonly build: number
  /** Whether the guild may have changed after that position. Otherwise, it changed without an entry in the log. */
  readonly isChanged: boolean
}

/** A request to a guild's index. */
export interface IndexQuestion {
  readonly guildId: GuildId
  readonly query: MemberQuery
  /** Why the previous result did not match the storage: the index is then updated, or built again. */
  readonly mismatch: Option.Option<Mismatch>
}

/**
 * Searches a guild's index, until about the deadline, in milliseconds of `performance.now`. None while the index is being
 * built, or if it cannot be updated in time.
 */
export type FindMembers = (
  question: IndexQuestion,
  deadline: number
) => Effect.Effect<Option.Option<FoundMembers>, StorageError>
