import { DateTime, Effect, Option } from "effect"
import { requireAccount, type UnknownUser } from "../account/User.ts"
import { UserRepository } from "../account/UserRepository.ts"
import { EventLog } from "../shared-kernel/EventLog.ts"
import type { Permissions } from "../shared-kernel/Permissions.ts"
import { toId } from "../shared-kernel/Snowflake.ts"
import { SnowflakeGenerator } from "../shared-kernel/SnowflakeGenerator.ts"
import type { StorageError } from "../shared-kernel/StorageError.ts"
import { traced } from "../shared-kernel/Traced.ts"
import { UnitOfWork } from "../shared-kernel/UnitOfWork.ts"
import { UseCase } from "../shared-kernel/UseCase.ts"
import { type Channel, ChannelId } from "./Channel.ts"
import { type Guild, GuildId, requireGuild, type UnknownGuild } from "./Guild.ts"
import { GuildRepository } from "./GuildRepository.ts"
import { MemberJoined } from "./MemberEvents.ts"
import * as Membership from "./Membership.ts"
import { MembershipRepository } from "./MembershipRepository.ts"
import { type Role, RoleId } from "./Role.ts"

/** The use cases of guilds, their channels and roles. Callers decide who may use them. */
export class Guilds extends UseCase<Guilds, {
  /** Creates a guild. Its owner is its first member. */
  readonly create: (
    guild: Pick<Guild, "name" | "ownerId">
  ) => Effect.Effect<Guild, UnknownUser | StorageError>
  /** Creates a channel of a guild. */
  readonly createChannel: (
    channel: Pick<Channel, "guildId" | "name">
  ) => Effect.Effect<Channel, UnknownGuild | StorageError>
  /** Creates a role of a guild, which no bot manages. */
  readonly createRole: (
    role: { readonly guildId: GuildId; readonly name: string; readonly permissions: Permissions }
  ) => Effect.Effect<Role, UnknownGuild | StorageError>
}>()(
  "@community-messaging/domain/Guilds",
  Effect.gen(function*() {
    const guilds = yield* GuildRepository
    const memberships = yield* MembershipRepository
    const users = yield* UserRepository
    const events = yield* EventLog
    const snowflakes = yield* SnowflakeGenerator
    const { atomically, lock } = yield* UnitOfWork

    return {
      create: Effect.fnUntraced(
        function*({ name, ownerId }) {
          // The deletion of an account removes its memberships. One that is stored at the same time would stay.
          yield* lock({ kind: "account", id: ownerId })
          yield* requireAccount(ownerId, yield* users.find(ownerId))
          const guild: Guild = { id: toId(GuildId, yield* snowflakes.next), name, ownerId }
          yield* guilds.save(guild)
          yield* memberships.save(Membership.join({
            guildId: guild.id,
            userId: ownerId,
            joinSourceType: Membership.JOIN_SOURCE_TYPE.creator,
            at: yield* DateTime.now
          }))
          yield* events.append(MemberJoined.of({ guildId: guild.id, userId: ownerId }))
          return guild
        },
        atomically,
        traced("Guilds.create")
      ),
      createChannel: Effect.fnUntraced(
        function*({ guildId, name }) {
          yield* requireGuild(guildId, yield* guilds.find(guildId))
          const channel: Channel = { id: toId(ChannelId, yield* snowflakes.next), guildId, name }
          yield* guilds.saveChannel(channel)
          return channel
        },
        atomically,
        traced("Guilds.createChannel")
      ),
      createRole: Effect.fnUntraced(
        function*({ guildId, name, permissions }) {
          yield* requireGuild(guildId, yield* guilds.find(guildId))
          const id = toId(RoleId, yield* snowflakes.next)
          const role: Role = { id, guildId, name, permissions, managedBy: Option.none() }
          yield* guilds.saveRole(role)
          return role
        },
        atomically,
        traced("Guilds.createRole")
      )
    }
  })
) {}
