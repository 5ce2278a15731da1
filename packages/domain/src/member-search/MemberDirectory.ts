import { Context, type Effect, type Option } from "effect"
import type { UserId } from "../account/User.ts"
import type { GuildId } from "../guild/Guild.ts"
import type { MemberRoles } from "../guild/GuildPermissions.ts"
import type { StorageError } from "../shared-kernel/StorageError.ts"
import type { MemberPage, MemberQuery } from "./MemberQuery.ts"

/**
 * Returns the requested page. An unknown guild has no members. If the index of the guild is not ready within the time of one
 * request, as in the first search of a very large guild, `indexing` is true and the page is empty; a later search returns
 * the exact result.
 */
export type SearchMembers = (query: MemberQuery) => Effect.Effect<MemberPage, StorageError>

/** A search that has begun. */
export interface BegunSearch {
  /** The caller's roles in the guild, as of `MembershipRepository.findWithRoles`. */
  readonly caller: Option.Option<MemberRoles>
  readonly search: SearchMembers
}

/**
 * Port: finds members of a guild. The result equals that of `MemberMatch.search` over one committed state. Every search sees
 * all commits before `begin`, also those of other processes; it may see later ones, and never sees changes that are rolled
 * back. A search inside a unit of work does not see the unit's own changes.
 */
export class MemberDirectory extends Context.Tag("@community-messaging/domain/MemberDirectory")<MemberDirectory, {
  /**
   * Begins a search: reads the caller's roles, so that its permission can be checked before the search. A storage may read,
   * at the same time, what it needs of the guild for any query. Must take little time: the caller may have no
   * permission.
   */
  readonly begin: (callerId: UserId, guildId: GuildId) => Effect.Effect<BegunSearch, StorageError>
}>() {}
