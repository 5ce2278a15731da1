import { Context, type Effect, type Option } from "effect"
import type { UserId } from "../account/User.ts"
import type { StorageError } from "../shared-kernel/StorageError.ts"
import type { Channel, ChannelId } from "./Channel.ts"
import type { Guild, GuildId } from "./Guild.ts"
import type { Role, RoleId } from "./Role.ts"

/** Port: the guilds with their roles and channels. */
export class GuildRepository extends Context.Tag("@community-messaging/domain/GuildRepository")<GuildRepository, {
  readonly find: (id: GuildId) => Effect.Effect<Option.Option<Guild>, StorageError>
  /** Inserts or updates the guild. */
  readonly save: (guild: Guild) => Effect.Effect<void, StorageError>
  /** Guilds in the order of their ids, beginning after `after`. */
  readonly list: (options: {
    readonly after: Option.Option<GuildId>
    readonly limit: number
  }) => Effect.Effect<ReadonlyArray<Guild>, StorageError>
  /** The guild's roles in the order of their ids. */
  readonly roles: (guildId: GuildId) => Effect.Effect<ReadonlyArray<Role>, StorageError>
  readonly findRole: (id: RoleId) => Effect.Effect<Option.Option<Role>, StorageError>
  /** Inserts or updates the role. The guild exists. */
  readonly saveRole: (role: Role) => Effect.Effect<void, StorageError>
  /** The managed role of that bot in the guild. */
  readonly findManagedRole: (
    guildId: GuildId,
    botUserId: UserId
  ) => Effect.Effect<Option.Option<Role>, StorageError>
  readonly findChannel: (id: ChannelId) => Effect.Effect<Option.Option<Channel>, StorageError>
  /** The guild's channels in the order of their ids. */
  readonly channels: (guildId: GuildId) => Effect.Effect<ReadonlyArray<Channel>, StorageError>
  /** Inserts or updates the channel. The guild exists. */
  readonly saveChannel: (channel: Channel) => Effect.Effect<void, StorageError>
  /** Removes the channel with its webhooks; a channel that is not there is no error. */
  readonly removeChannel: (id: ChannelId) => Effect.Effect<void, StorageError>
}>() {}
