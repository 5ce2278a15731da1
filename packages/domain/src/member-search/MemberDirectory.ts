import { Context, type Effect } from "effect"
import type { GuildId } from "../guild/Guild.ts"
import type { StorageError } from "../shared-kernel/StorageError.ts"
import type { MemberPage, MemberQuery } from "./MemberQuery.ts"

/**
 * Port: finds members of a guild. It answers as `MemberMatch.search` would, over what is committed: the very next search
 * knows of a commit, also of one that another process made, and none shows what was rolled back. All of an answer is of
 * one committed state. Inside a unit of work too: it does not find the unit's own changes.
 */
export class MemberDirectory extends Context.Tag("@community-messaging/domain/MemberDirectory")<MemberDirectory, {
  /**
   * The page that the query asks for. A guild that is not there has no members. Where the answer takes a preparation that
   * is too long for a request, as on the first search of a very large guild, `indexing` is true and nobody is found, until
   * a later search is answered exactly.
   */
  readonly search: (guildId: GuildId, query: MemberQuery) => Effect.Effect<MemberPage, StorageError>
}>() {}
