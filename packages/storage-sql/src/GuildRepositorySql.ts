import { UserId } from "@community-messaging/domain/account/User"
import { Channel } from "@community-messaging/domain/guild/Channel"
import { Guild } from "@community-messaging/domain/guild/Guild"
import { GuildRepository } from "@community-messaging/domain/guild/GuildRepository"
import { Role } from "@community-messaging/domain/guild/Role"
import { Effect, Layer, Schema } from "effect"
import { column, nullable } from "./Column.ts"
import { Database } from "./Database.ts"
import { lowerBound } from "./Paging.ts"
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
export const layer: Layer.Layer<GuildRepository, never, Database> = Layer.effect(
  GuildRepository,
  Effect.map(Database, ({ send, sql, write }) => {
    const guilds = Table.make({ send, sql }, {
      name: "guilds",
      row: GuildRow,
      key: ["id"],
      snowflakes: ["id", "owner_id"]
    })
    const roles = Table.make({ send, sql }, {
      name: "roles",
      row: RoleRow,
      key: ["id"],
      snowflakes: ["id", "guild_id", "managed_by"]
    })
    const channels = Table.make({ send, sql }, {
      name: "channels",
      row: ChannelRow,
      key: ["id"],
      snowflakes: ["id", "guild_id"]
    })
    return {
      find: (id) =>
        sql`SELECT ${guilds.columns} FROM guilds WHERE id = ${id}`.pipe(
          Effect.flatMap(guilds.decodeFirst),
          attempt("find a guild")
        ),
      save: (guild) => write(attempt("save a guild")(guilds.save(guild))),
      list: ({ after, limit }) =>
        sql`
          SELECT ${guilds.columns} FROM guilds WHERE id > ${lowerBound(after)}
          ORDER BY guilds.id LIMIT ${limit}
        `.pipe(Effect.flatMap(guilds.decodeAll), attempt("list guilds")),
      roles: (guildId) =>
        sql`SELECT ${roles.columns} FROM roles WHERE guild_id = ${guildId} ORDER BY roles.id`.pipe(
          Effect.flatMap(roles.decodeAll),
          attempt("list a guild's roles")
        ),
      findRole: (id) =>
        sql`SELECT ${roles.columns} FROM roles WHERE id = ${id}`.pipe(
          Effect.flatMap(roles.decodeFirst),
          attempt("find a role")
        ),
      saveRole: (role) => write(attempt("save a role")(roles.save(role))),
      findManagedRole: (guildId, botUserId) =>
        sql`
          SELECT ${roles.columns} FROM roles WHERE guild_id = ${guildId} AND managed_by = ${botUserId}
          ORDER BY roles.id LIMIT 1
        `.pipe(Effect.flatMap(roles.decodeFirst), attempt("find a managed role")),
      findChannel: (id) =>
        sql`SELECT ${channels.columns} FROM channels WHERE id = ${id}`.pipe(
          Effect.flatMap(channels.decodeFirst),
          attempt("find a channel")
        ),
      channels: (guildId) =>
        sql`SELECT ${channels.columns} FROM channels WHERE guild_id = ${guildId} ORDER BY channels.id`.pipe(
          Effect.flatMap(channels.decodeAll),
          attempt("list a guild's channels")
        ),
      saveChannel: (channel) => write(attempt("save a channel")(channels.save(channel))),
      removeChannel: (id) =>
        write(sql`DELETE FROM channels WHERE id = ${id}`).pipe(attempt("remove a channel"), Effect.asVoid)
    }
  })
)
