import { Context, type Effect } from "effect"
import type { GuildId } from "../guild/Guild.ts"
import type { StorageError } from "../shared-kernel/StorageError.ts"
import type { MemberPage, MemberQuery } from "./MemberQuery.ts"

/**
 * Returns the requested page. An unknown guild has no members. If the index of the guild is not ready within the time of one
 * request, as in the first search of a very large guild, `indexing` is true and the page is empty; a later search returns
 * the exact result.
 */
export type SearchMembers = (query: MemberQuery) => Effect.Effect<MemberPage, StorageError>

/**
 * Port: finds members of a guild. The result equals that of `MemberMatch.search` over one committed state. Every search sees
 * all commits before `begin`, also those of other processes; it may see later ones, and never sees changes that are rolled
 * back. A search inside a unit of work does not see the unit's own changes.
 */
export class MemberDirectory extends Context.Tag("@community-messaging/domain/MemberDirectory")<MemberDirectory, {
  /**
   * Begins a search and returns the rest of it. May start reads that do not depend on the query, and does not wait for them,
   * so that the caller's permission is checked in the meantime. Must take little time: the caller may have no permission.
   */
  readonly begin: (guildId: GuildId) => Effect.Effect<SearchMembers>
}>() {}
