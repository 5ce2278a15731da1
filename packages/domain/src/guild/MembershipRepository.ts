import { Context, type Effect, type Option } from "effect"
import type { UserId } from "../account/User.ts"
import type { StorageError } from "../shared-kernel/StorageError.ts"
import type { GuildId } from "./Guild.ts"
import type { Membership } from "./Membership.ts"

/** Port: who belongs to which guild. */
export class MembershipRepository
  extends Context.Tag("@community-messaging/domain/MembershipRepository")<MembershipRepository, {
    readonly find: (guildId: GuildId, userId: UserId) => Effect.Effect<Option.Option<Membership>, StorageError>
    /** Inserts or updates the membership. The guild and the account exist. The very next search knows of it. */
    readonly save: (membership: Membership) => Effect.Effect<void, StorageError>
    /** Ends the membership; one that is not there is no error. The very next search knows of it. */
    readonly remove: (guildId: GuildId, userId: UserId) => Effect.Effect<void, StorageError>
    /** The guild's memberships in the order of the user ids, beginning after `after`. */
    readonly list: (options: {
      readonly guildId: GuildId
      readonly after: Option.Option<UserId>
      readonly limit: number
    }) => Effect.Effect<ReadonlyArray<Membership>, StorageError>
    /** All memberships of the account, in the order of the guild ids. */
    readonly ofUser: (userId: UserId) => Effect.Effect<ReadonlyArray<Membership>, StorageError>
  }>()
{}
