import { Context, type Effect } from "effect"
import type { GuildId } from "../guild/Guild.ts"
import type { StorageError } from "../shared-kernel/StorageError.ts"
import type { MemberPage, MemberQuery } from "./MemberQuery.ts"

/**
 * Port: finds members of a guild. The result equals that of `MemberMatch.search` over one committed state. Every search sees
 * all earlier commits, also those of other processes, and never sees changes that are rolled back. A search inside a unit of
 * work does not see the unit's own changes.
 */
export class MemberDirectory extends Context.Tag("@community-messaging/domain/MemberDirectory")<MemberDirectory, {
  /**
   * Returns the requested page. An unknown guild has no members. If the index of the guild is not ready within the time of
   * one request, as in the first search of a very large guild, `indexing` is true and the page is empty; a later search
   * returns the exact result.
   */
  readonly search: (guildId: GuildId, query: MemberQuery) => Effect.Effect<MemberPage, StorageError>
}>() {}
