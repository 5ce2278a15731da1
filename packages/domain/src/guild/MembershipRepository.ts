import { Context, type Effect, type Option } from "effect"
import type { UserId } from "../account/User.ts"
import type { StorageError } from "../shared-kernel/StorageError.ts"
import type { GuildId } from "./Guild.ts"
import type { MemberRoles } from "./GuildPermissions.ts"
import type { Membership } from "./Membership.ts"

/** Port: stores memberships. */
export class MembershipRepository
  extends Context.Tag("@community-messaging/domain/MembershipRepository")<MembershipRepository, {
    readonly find: (guildId: GuildId, userId: UserId) => Effect.Effect<Option.Option<Membership>, StorageError>
    /**
     * Returns the input for a member's permissions in a guild, from one snapshot; none if the account is not a member. Its
     * roles are `@everyone` and the member's; for the owner, who needs no role, they are empty.
     */
    readonly findWithRoles: (guildId: GuildId, userId: UserId) => Effect.Effect<
      Option.Option<MemberRoles>,
      StorageError
    >
    /** Returns the memberships that these accounts have in the guild, each once, in any order. */
    readonly findAll: (
      guildId: GuildId,
      userIds: ReadonlyArray<UserId>
    ) => Effect.Effect<ReadonlyArray<Membership>, StorageError>
    /** Inserts or updates the membership. The guild and the account must exist. The next search sees the change. */
    readonly save: (membership: Membership) => Effect.Effect<void, StorageError>
    /** Removes the membership. Does nothing if it does not exist. The next search sees the change. */
    readonly remove: (guildId: GuildId, userId: UserId) => Effect.Effect<void, StorageError>
    /** Removes all memberships of the account. Returns the ids of their guilds in order. The next search sees the change. */
    readonly removeAllOfUser: (userId: UserId) => Effect.Effect<ReadonlyArray<GuildId>, StorageError>
    /** Returns the guild's memberships ordered by user id, starting after `after`. */
    readonly list: (options: {
      readonly guildId: GuildId
      readonly after: Option.Option<UserId>
      readonly limit: number
    }) => Effect.Effect<ReadonlyArray<Membership>, StorageError>
    /** Returns all memberships of the account, ordered by guild id. */
    readonly ofUser: (userId: UserId) => Effect.Effect<ReadonlyArray<Membership>, StorageError>
  }>()
{}
