import { Context, type Effect } from "effect"
import type { GuildId } from "../guild/Guild.ts"
import type { StorageError } from "../StorageError.ts"
import type { MemberPage, MemberQuery } from "./MemberQuery.ts"

/** Port: finds members of a guild. It answers as `MemberMatch.search` would, over what is committed. */
export class MemberDirectory extends Context.Tag("@community-messaging/domain/MemberDirectory")<MemberDirectory, {
  /** The page that the query asks for. A guild that is not there has no members. */
  readonly search: (guildId: GuildId, query: MemberQuery) => Effect.Effect<MemberPage, StorageError>
}>() {}
