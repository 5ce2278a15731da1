import { Channel } from "@community-messaging/domain/guild/Channel"
import { Guild } from "@community-messaging/domain/guild/Guild"
import type { GuildRepository } from "@community-messaging/domain/guild/GuildRepository"
import { Role } from "@community-messaging/domain/guild/Role"
import type { StorageError } from "@community-messaging/domain/shared-kernel/StorageError"
import { Either, Option } from "effect"
import { requireThat, requireValid } from "./Constraint.ts"
import type { MemoryState } from "./MemoryState.ts"
import * as Table from "./Table.ts"
import type { Tables } from "./Tables.ts"

const saveRole = (role: Role) => (tables: Tables): Either.Either<void, StorageError> =>
  Either.map(requireThat(Table.has(tables.guilds, role.guildId), "save a role: its guild does not exist"), () => {
    for (const { guildId, id } of Option.toArray(Table.get(tables.roles, role.id))) {
      tables.rolesOfGuild = Table.remove(tables.rolesOfGuild, Table.keyOf(guildId, id))
    }
    tables.roles = Table.set(tables.roles, role.id, role)
    tables.rolesOfGuild = Table.set(tables.rolesOfGuild, Table.keyOf(role.guildId, role.id), role)
  })

const saveChannel = (channel: Channel) => (tables: Tables): Either.Either<void, StorageError> =>
  Either.map(requireThat(Table.has(tables.guilds, channel.guildId), "save a channel: its guild does not exist"), () => {
    tables.channels = Table.set(tables.channels, channel.id, channel)
  })

const validGuild = requireValid(Guild)
const validRole = requireValid(Role)
const validChannel = requireValid(Channel)

/** `GuildRepository` in memory. */
export const make = (state: typeof MemoryState.Service): typeof GuildRepository.Service => ({
  find: (id) => state.read(({ guilds }) => Table.get(guilds, id)),
  save: validGuild("save a guild", (guild) =>
    state.write((tables) => {
      tables.guilds = Table.set(tables.guilds, guild.id, guild)
    })),
  list: ({ after, limit }) => state.read(({ guilds }) => Table.after(guilds, after, limit)),
  roles: (guildId) => state.read(({ rolesOfGuild }) => Table.withPrefix(rolesOfGuild, Table.keyOf(guildId))),
  findRole: (id) => state.read(({ roles }) => Table.get(roles, id)),
  saveRole: validRole("save a role", (role) => state.attempt(saveRole(role))),
  findManagedRole: (guildId, botUserId) =>
    state.read(({ rolesOfGuild }) =>
      Option.fromNullable(
        Table.withPrefix(rolesOfGuild, Table.keyOf(guildId))
          .find(({ managedBy }) => Option.contains(managedBy, botUserId))
      )
    ),
  findChannel: (id) => state.read(({ channels }) => Table.get(channels, id)),
  channels: (guildId) =>
    state.read(({ channels }) => Table.rows(channels).filter((channel) => channel.guildId === guildId)),
  saveChannel: validChannel("save a channel", (channel) => state.attempt(saveChannel(channel)))
})
