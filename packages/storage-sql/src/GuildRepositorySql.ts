import { UserId } from "@community-messaging/domain/account/User"
import { Channel } from "@community-messaging/domain/guild/Channel"
import { Guild, type GuildId } from "@community-messaging/domain/guild/Guild"
import type { MemberRoles } from "@community-messaging/domain/guild/GuildPermissions"
import { GuildRepository } from "@community-messaging/domain/guild/GuildRepository"
import { Role } from "@community-messaging/domain/guild/Role"
import { Effect, Layer, Option, Schema } from "effect"
import { column, nullable } from "./Column.ts"
import { Database } from "./Database.ts"
import { MembershipRow } from "./MembershipRow.ts"
import { BEFORE_ALL_IDS } from "./Paging.ts"
import * as Rows from "./Rows.ts"
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

/** A guild with a member's roles, and one of the roles that the member has. */
const MemberRoleRow = Schema.Struct({
  name: Guild.fields.name,
  ownerId: column("owner_id", Guild.fields.ownerId),
  roleIds: MembershipRow.fields.roleIds,
  roleId: nullable("role_id", Role.fields.id),
  permissions: nullable("permissions", Role.fields.permissions)
})

const memberRoles = (
  guildId: GuildId,
  userId: UserId,
  rows: ReadonlyArray<typeof MemberRoleRow.Type>
): Option.Option<MemberRoles> =>
  Option.map(Option.fromNullable(rows[0]), ({ name, ownerId, roleIds }) => ({
    guild: { id: guildId, name, ownerId },
    member: { guildId, userId, roleIds },
    roles: rows.flatMap(({ permissions, roleId }) =>
      Option.isSome(roleId) && Option.isSome(permissions)
        ? [{ id: roleId.value, guildId, permissions: permissions.value }]
        : []
    )
  }))

const ChannelRow = Schema.Struct({
  id: Channel.fields.id,
  guildId: column("guild_id", Channel.fields.guildId),
  name: Channel.fields.name
})

/** `GuildRepository` in SQL. */
export const layer: Layer.Layer<GuildRepository, never, Database> = Layer.effect(
  GuildRepository,
  Effect.map(Database, ({ send, sql, write }) => {
    const guilds = Table.make(send, { name: "guilds", row: GuildRow, key: ["id"], snowflakes: ["id", "owner_id"] })
    const roles = Table.make(send, {
      name: "roles",
      row: RoleRow,
      key: ["id"],
      snowflakes: ["id", "guild_id", "managed_by"]
    })
    const channels = Table.make(send, {
      name: "channels",
      row: ChannelRow,
      key: ["id"],
      snowflakes: ["id", "guild_id"]
    })
    const decodeMemberRoles = Rows.decodeAll("guilds", MemberRoleRow)
    return {
      // One statement, which is one round trip. `role_ids` is JSON, in which a role's id stands in quotation marks.
      findMemberRoles: (guildId, userId) =>
        sql`
          SELECT guilds.name, CAST(guilds.owner_id AS TEXT) AS owner_id, memberships.role_ids,
            CAST(roles.id AS TEXT) AS role_id, roles.permissions
          FROM guilds
          JOIN memberships ON memberships.guild_id = guilds.id AND memberships.user_id = ${userId}
          LEFT JOIN roles ON roles.guild_id = guilds.id AND guilds.owner_id <> memberships.user_id
            AND (roles.id = guilds.id OR memberships.role_ids LIKE '%"' || CAST(roles.id AS TEXT) || '"%')
          WHERE guilds.id = ${guildId}
        `.pipe(
          Effect.flatMap(decodeMemberRoles),
          Effect.map((rows) => memberRoles(guildId, userId, rows)),
          attempt("find a member's roles")
        ),
      find: (id) =>
        sql`SELECT ${guilds.columns} FROM guilds WHERE id = ${id}`.pipe(
          Effect.flatMap(guilds.decodeFirst),
          attempt("find a guild")
        ),
      save: (guild) => write(attempt("save a guild")(guilds.save(guild))),
      list: ({ after, limit }) =>
        sql`
          SELECT ${guilds.columns} FROM guilds WHERE id > ${Option.getOrElse(after, () => BEFORE_ALL_IDS)}
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
