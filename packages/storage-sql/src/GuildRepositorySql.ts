import { UserId } from "@community-messaging/domain/account/User"
import { Channel } from "@community-messaging/domain/guild/Channel"
import { Guild } from "@community-messaging/domain/guild/Guild"
import type { GuildRepository } from "@community-messaging/domain/guild/GuildRepository"
import { Role } from "@community-messaging/domain/guild/Role"
import { Schema } from "effect"
import { column, nullable } from "./Column.ts"
import type { Database } from "./Database.ts"
import { attempt } from "./SqlFailure.ts"
import * as Table from "./Table.ts"

const GuildRow = Schema.Struct({
  id: Guild.fields.id,
  name: Guild.fields.name,
  ownerId: column("owner_id", Guild.fields.ownerId)
})

const RoleRow = Schema.Struct({
  id: Role.fields.id,
  guildId: column("guild_id", Role.fields.guildId),
  name: Role.fields.name,
  permissions: Role.fields.permissions,
  managedBy: nullable("managed_by", UserId)
})

const ChannelRow = Schema.Struct({
  id: Channel.fields.id,
  guildId: column("guild_id", Channel.fields.guildId),
  name: Channel.fields.name
})

/** `GuildRepository` in SQL. */
export const make = ({ send, sql, write }: typeof Database.Service): typeof GuildRepository.Service => {
  const guilds = Table.make({ send, sql }, {
    name: "guilds",
    row: GuildRow,
    snowflakes: ["id", "owner_id"]
  })
  const roles = Table.make({ send, sql }, {
    name: "roles",
    row: RoleRow,
    snowflakes: ["id", "guild_id", "managed_by"]
  })
  const channels = Table.make({ send, sql }, {
    name: "channels",
    row: ChannelRow,
    snowflakes: ["id", "guild_id"]
  })
  return {
    find: (id) => attempt("find a guild")(guilds.first`WHERE id = ${id}`),
    save: (guild) => write(attempt("save a guild")(guilds.save(guild))),
    list: (page) => attempt("list guilds")(guilds.page(page)),
    roles: (guildId) => attempt("list a guild's roles")(roles.all`WHERE guild_id = ${guildId} ORDER BY roles.id`),
    findRole: (id) => attempt("find a role")(roles.first`WHERE id = ${id}`),
    saveRole: (role) => write(attempt("save a role")(roles.save(role))),
    findManagedRole: (guildId, botUserId) =>
      attempt("find a managed role")(roles.first`
        WHERE guild_id = ${guildId} AND managed_by = ${botUserId} ORDER BY roles.id LIMIT 1
      `),
    findChannel: (id) => attempt("find a channel")(channels.first`WHERE id = ${id}`),
    channels: (guildId) =>
      attempt("list a guild's channels")(channels.all`WHERE guild_id = ${guildId} ORDER BY channels.id`),
    saveChannel: (channel) => write(attempt("save a channel")(channels.save(channel)))
  }
}
