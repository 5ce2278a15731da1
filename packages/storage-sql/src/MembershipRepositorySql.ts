import type { UserId } from "@community-messaging/domain/account/User"
import { Guild, type GuildId } from "@community-messaging/domain/guild/Guild"
import type { MemberRoles } from "@community-messaging/domain/guild/GuildPermissions"
import type { Membership } from "@community-messaging/domain/guild/Membership"
import { MembershipRepository } from "@community-messaging/domain/guild/MembershipRepository"
import { Role } from "@community-messaging/domain/guild/Role"
import { normalise } from "@community-messaging/domain/member-search/MemberText"
import { Effect, Layer, Option, Schema } from "effect"
import { column, nullable } from "./Column.ts"
import { Database } from "./Database.ts"
import { inChunks } from "./InChunks.ts"
import { MembershipRow } from "./MembershipRow.ts"
import { lowerBound } from "./Paging.ts"
import * as Rows from "./Rows.ts"
import { attempt } from "./SqlFailure.ts"
import * as Table from "./Table.ts"

const derived = {
  nickname_text: ({ nickname }: Membership) => Option.getOrNull(Option.map(nickname, normalise))
}

/** A guild with a member's list of role ids, and one of the member's roles. */
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

/** `MembershipRepository` in SQL. */
export const layer: Layer.Layer<MembershipRepository, never, Database> = Layer.effect(
  MembershipRepository,
  Effect.map(Database, ({ send, sql, write }) => {
    const memberships = Table.make({ send, sql }, {
      name: "memberships",
      row: MembershipRow,
      key: ["guild_id", "user_id"],
      snowflakes: ["guild_id", "user_id", "inviter_id"],
      derived
    })
    const decodeMemberRoles = Rows.decodeAll("memberships", MemberRoleRow)
    return {
      // One statement, which is one round trip. `role_ids` is JSON, in which a role's id is in quotation marks.
      findWithRoles: (guildId, userId) =>
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
      find: (guildId, userId) =>
        sql`
          SELECT ${memberships.columns} FROM memberships WHERE guild_id = ${guildId} AND user_id = ${userId}
        `.pipe(Effect.flatMap(memberships.decodeFirst), attempt("find a membership")),
      findAll: (guildId, userIds) =>
        inChunks(userIds, (among) =>
          Effect.flatMap(
            sql`
              SELECT ${memberships.columns} FROM memberships WHERE guild_id = ${guildId} AND user_id IN ${among}
            `,
            memberships.decodeAll
          )).pipe(attempt("find memberships")),
      save: (membership) => write(attempt("save a membership")(memberships.save(membership))),
      remove: (guildId, userId) =>
        write(sql`DELETE FROM memberships WHERE guild_id = ${guildId} AND user_id = ${userId}`).pipe(
          attempt("remove a membership"),
          Effect.asVoid
        ),
      list: ({ after, guildId, limit }) =>
        sql`
          SELECT ${memberships.columns} FROM memberships
          WHERE guild_id = ${guildId} AND user_id > ${lowerBound(after)}
          ORDER BY memberships.user_id LIMIT ${limit}
        `.pipe(Effect.flatMap(memberships.decodeAll), attempt("list a guild's memberships")),
      ofUser: (userId) =>
        sql`
          SELECT ${memberships.columns} FROM memberships WHERE user_id = ${userId} ORDER BY memberships.guild_id
        `.pipe(Effect.flatMap(memberships.decodeAll), attempt("list an account's memberships"))
    }
  })
)
