import { Channel } from "@community-messaging/domain/guild/Channel"
import { Guild } from "@community-messaging/domain/guild/Guild"
import { GuildRepository } from "@community-messaging/domain/guild/GuildRepository"
import { Role } from "@community-messaging/domain/guild/Role"
import type { StorageError } from "@community-messaging/domain/shared-kernel/StorageError"
import { Effect, Either, Layer, Option } from "effect"
import { requireThat, requireValid } from "./Constraint.ts"
import { MemoryState } from "./MemoryState.ts"
import * as Table from "./Table.ts"
import type { Tables } from "./Tables.ts"
import { removeWebhooksOf } from "./WebhookRepositoryMemory.ts"

const saveRole = (tables: Tables, role: Role): Either.Either<Tables, StorageError> =>
  Either.gen(function*() {
    yield* requireThat(Table.has(tables.guilds, role.guildId), "save a role: its guild does not exist")
    const elsewhere = Option.match(Table.get(tables.roles, role.id), {
      onNone: () => tables.rolesOfGuild,
      onSome: (before) => Table.remove(tables.rolesOfGuild, Table.keyOf(before.guildId, role.id))
    })
    return {
      ...tables,
      roles: Table.set(tables.roles, role.id, role),
      rolesOfGuild: Table.set(elsewhere, Table.keyOf(role.guildId, role.id), role)
    }
  })

const saveChannel = (tables: Tables, channel: Channel): Either.Either<Tables, StorageError> =>
  Either.map(
    requireThat(Table.has(tables.guilds, channel.guildId), "save a channel: its guild does not exist"),
    () => ({ ...tables, channels: Table.set(tables.channels, channel.id, channel) })
  )

/** `GuildRepository` in memory. */
export const layer: Layer.Layer<GuildRepository, never, MemoryState> = Layer.effect(
  GuildRepository,
  Effect.map(MemoryState, (state) => ({
    find: (id) => state.read(({ guilds }) => Table.get(guilds, id)),
    save: requireValid(
      "save a guild",
      Guild,
      (guild) =>
        state.update((tables) => Either.right({ ...tables, guilds: Table.set(tables.guilds, guild.id, guild) }))
    ),
    list: ({ after, limit }) => state.read(({ guilds }) => Table.after(guilds, after, limit)),
    roles: (guildId) => state.read(({ rolesOfGuild }) => Table.withPrefix(rolesOfGuild, Table.keyOf(guildId))),
    findRole: (id) => state.read(({ roles }) => Table.get(roles, id)),
    saveRole: requireValid("save a role", Role, (role) => state.update((tables) => saveRole(tables, role))),
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
    saveChannel: requireValid(
      "save a channel",
      Channel,
      (channel) => state.update((tables) => saveChannel(tables, channel))
    ),
    removeChannel: (id) =>
      state.update((tables) =>
        Either.right(removeWebhooksOf({ ...tables, channels: Table.remove(tables.channels, id) }, id))
      )
  }))
)
