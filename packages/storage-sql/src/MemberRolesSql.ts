import type { UserId } from "@community-messaging/domain/account/User"
import { Guild, type GuildId } from "@community-messaging/domain/guild/Guild"
import type { MemberRoles } from "@community-messaging/domain/guild/GuildPermissions"
import type { MembershipRepository } from "@community-messaging/domain/guild/MembershipRepository"
import { Role } from "@community-messaging/domain/guild/Role"
import { Effect, Option, Schema } from "effect"
import { column, nullable } from "./Column.ts"
import type { Database } from "./Database.ts"
import { MembershipRow } from "./MembershipRow.ts"
import * as Rows from "./Rows.ts"
import { attempt } from "./SqlFailure.ts"
import { type Fragment, fragment, type Sql } from "./Statements.ts"

/** A guild with a member's list of role ids, and one of the member's roles. */
const Row = Schema.Struct({
  name: Guild.fields.name,
  ownerId: column("owner_id", Guild.fields.ownerId),
  roleIds: MembershipRow.fields.roleIds,
  roleId: nullable("role_id", Role.fields.id),
  permissions: nullable("permissions", Role.fields.permissions)
})

/** The columns of `Row`. */
const COLUMNS = fragment`guilds.name, CAST(guilds.owner_id AS TEXT) AS owner_id, memberships.role_ids,
      CAST(roles.id AS TEXT) AS role_id, roles.permissions`

/**
 * The tables of `COLUMNS`: a row for each role of the member, or one without a role; none if the user is no member. `role_ids`
 * is JSON, in which a role's id is in quotation marks.
 */
const tables = (guildId: GuildId, userId: UserId): Fragment =>
  fragment`guilds
    JOIN memberships ON memberships.guild_id = guilds.id AND memberships.user_id = ${userId}
    LEFT JOIN roles ON roles.guild_id = guilds.id AND guilds.owner_id <> memberships.user_id
      AND (roles.id = guilds.id OR memberships.role_ids LIKE '%"' || CAST(roles.id AS TEXT) || '"%')
    WHERE guilds.id = ${guildId}`

/** The member with the roles of the rows. */
const fromRows = (
  guildId: GuildId,
  userId: UserId,
  rows: ReadonlyArray<typeof Row.Type>
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

const decode = Rows.decodeAll("memberships", Row)

/** `MembershipRepository.findWithRoles`, in one statement, which is one round trip. */
export const find = (sql: Sql): typeof MembershipRepository.Service.findWithRoles => (guildId, userId) =>
  sql`SELECT ${COLUMNS} FROM ${tables(guildId, userId)}`.pipe(
    Effect.flatMap(decode),
    Effect.map((rows) => fromRows(guildId, userId, rows)),
    attempt("find a member's roles")
  )

const decodeWithLastChange = Rows.decodeAll(
  "memberships",
  Schema.Struct({ ...Row.fields, lastChange: column("last_change", Schema.Number) })
)

/** How a storage finds the last change of a guild's members. */
interface LastChange {
  readonly select: (guildId: GuildId) => Fragment
  /** Returns whether a state with this last change is the state at the position. */
  readonly isAt: (lastChange: number, position: number) => boolean
}

/**
 * `CommittedMembers.callerWithLastChange`. In a unit of work the roles are those of the unit, and the last change is not read,
 * because the unit may not see it.
 */
export const findWithLastChange = (
  { isInside, sql }: typeof Database.Service,
  { isAt, select }: LastChange
) => {
  const caller = find(sql)
  return (callerId: UserId, guildId: GuildId) =>
    Effect.flatMap(isInside, (inside) =>
      inside
        ? Effect.map(caller(guildId, callerId), (found) => ({ caller: found, hasLastChange: () => false }))
        : sql`
          SELECT ${COLUMNS}, (${select(guildId)}) AS last_change FROM ${tables(guildId, callerId)}
        `.pipe(
          Effect.flatMap(decodeWithLastChange),
          Effect.map((rows) => ({
            caller: fromRows(guildId, callerId, rows),
            hasLastChange: (position: number) => rows[0] !== undefined && isAt(rows[0].lastChange, position)
          })),
          attempt("begin a search")
        ))
}
