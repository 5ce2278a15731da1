import { Context, type Effect, type Option } from "effect"
import type { UserId } from "../account/User.ts"
import type { StorageError } from "../shared-kernel/StorageError.ts"
import type { Channel, ChannelId } from "./Channel.ts"
import type { Guild, GuildId } from "./Guild.ts"
import type { Role, RoleId } from "./Role.ts"

/** Port: stores guilds with their roles and channels. */
export class GuildRepository extends Context.Tag("@community-messaging/domain/GuildRepository")<GuildRepository, {
  readonly find: (id: GuildId) => Effect.Effect<Option.Option<Guild>, StorageError>
  /** Inserts or updates the guild. */
  readonly save: (guild: Guild) => Effect.Effect<void, StorageError>
  /** Returns guilds ordered by id, starting after `after`. */
  readonly list: (options: {
    readonly after: Option.Option<GuildId>
    readonly limit: number
  }) => Effect.Effect<ReadonlyArray<Guild>, StorageError>
  /** Returns the guild's roles ordered by id. */
  readonly roles: (guildId: GuildId) => Effect.Effect<ReadonlyArray<Role>, StorageError>
  readonly findRole: (id: RoleId) => Effect.Effect<Option.Option<Role>, StorageError>
  /** Inserts or updates the role. The guild must exist. */
  readonly saveRole: (role: Role) => Effect.Effect<void, StorageError>
  /** Returns the managed role of this bot in the guild. */
  readonly findManagedRole: (
    guildId: GuildId,
    botUserId: UserId
  ) => Effect.Effect<Option.Option<Role>, StorageError>
  readonly findChannel: (id: ChannelId) => Effect.Effect<Option.Option<Channel>, StorageError>
  /** Returns the guild's channels ordered by id. */
  readonly channels: (guildId: GuildId) => Effect.Effect<ReadonlyArray<Channel>, StorageError>
  /** Inserts or updates the channel. The guild must exist. */
  readonly saveChannel: (channel: Channel) => Effect.Effect<void, StorageError>
}>() {}
