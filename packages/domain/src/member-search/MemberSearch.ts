import { Effect } from "effect"
import type { UserId } from "../account/User.ts"
import type { GuildId, UnknownGuild } from "../guild/Guild.ts"
import { isEveryone, type MissingGuildPermissions, permit } from "../guild/GuildPermissions.ts"
import { MANAGE_GUILD } from "../shared-kernel/Permissions.ts"
import type { StorageError } from "../shared-kernel/StorageError.ts"
import { traced } from "../shared-kernel/Traced.ts"
import { UseCase } from "../shared-kernel/UseCase.ts"
import { MemberDirectory } from "./MemberDirectory.ts"
import type { MemberPage, MemberQuery } from "./MemberQuery.ts"

/** The query without the `@everyone` role, which all members have. */
const withoutEveryone = (guildId: GuildId, query: MemberQuery): MemberQuery =>
  query.roleIds.some((role) => isEveryone(role, guildId))
    ? { ...query, roleIds: query.roleIds.filter((role) => !isEveryone(role, guildId)) }
    : query

/** Searches the members of a guild. The caller must be allowed to manage the guild. */
export class MemberSearch extends UseCase<MemberSearch, {
  /**
   * Returns the requested page. Source: API reference, Search guild members; API gaps, Guild permissions and Member
   * search.
   */
  readonly search: (
    callerId: UserId,
    guildId: GuildId,
    query: MemberQuery
  ) => Effect.Effect<MemberPage, UnknownGuild | MissingGuildPermissions | StorageError>
}>()(
  "@community-messaging/domain/MemberSearch",
  Effect.map(MemberDirectory, (directory) => ({
    search: Effect.fnUntraced(function*(callerId, guildId, query) {
      const { caller, search } = yield* directory.begin(callerId, guildId)
      yield* permit(caller, callerId, guildId, MANAGE_GUILD)
      return yield* search(withoutEveryone(guildId, query))
    }, traced("MemberSearch.search"))
  }))
) {}
