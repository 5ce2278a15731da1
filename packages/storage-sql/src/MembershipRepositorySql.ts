import { GuildId } from "@community-messaging/domain/guild/Guild"
import type { Membership } from "@community-messaging/domain/guild/Membership"
import type { MembershipRepository } from "@community-messaging/domain/guild/MembershipRepository"
import { normalise } from "@community-messaging/domain/member-search/MemberText"
import * as Snowflake from "@community-messaging/domain/shared-kernel/Snowflake"
import { Effect, Option, Schema } from "effect"
import type { Database } from "./Database.ts"
import { inChunks } from "./InChunks.ts"
import * as MemberRolesSql from "./MemberRolesSql.ts"
import { MembershipRow } from "./MembershipRow.ts"
import * as Rows from "./Rows.ts"
import { attempt } from "./SqlFailure.ts"
import { Fragment, fragment } from "./Statements.ts"
import * as Table from "./Table.ts"

const decodeGuildIds = Rows.decodeAll("memberships", Schema.Struct({ guild_id: GuildId }))

const derived = {
  nickname_text: ({ nickname }: Membership) => Option.getOrNull(Option.map(nickname, normalise))
}

/**
 * Returns a row of both ids for each account. With one guild for all, PostgreSQL's plan for any guild would read all members
 * of a large one.
 */
const rowsOf = (guildId: GuildId, { parameters }: Fragment): Fragment =>
  new Fragment(
    parameters.map(() => "(CAST(? AS bigint), CAST(? AS bigint))").join(", "),
    parameters.flatMap((userId) => [guildId, userId])
  )

/** `MembershipRepository` in SQL. */
export const make = ({ send, sql, write }: typeof Database.Service): typeof MembershipRepository.Service => {
  const memberships = Table.make({ send, sql }, {
    name: "memberships",
    row: MembershipRow,
    key: ["guild_id", "user_id"],
    snowflakes: ["guild_id", "user_id", "inviter_id"],
    derived
  })
  return {
    findWithRoles: MemberRolesSql.find(sql),
    find: (guildId, userId) =>
      attempt("find a membership")(memberships.first`WHERE guild_id = ${guildId} AND user_id = ${userId}`),
    findAll: (guildId, userIds) =>
      inChunks(
        userIds,
        (among) => memberships.all`WHERE (guild_id, user_id) IN (VALUES ${rowsOf(guildId, among)})`
      ).pipe(attempt("find memberships")),
    save: (membership) => write(attempt("save a membership")(memberships.save(membership))),
    remove: (guildId, userId) =>
      write(sql`DELETE FROM memberships WHERE guild_id = ${guildId} AND user_id = ${userId}`).pipe(
        attempt("remove a membership"),
        Effect.asVoid
      ),
    removeAllOfUser: (userId) =>
      write(sql`DELETE FROM memberships WHERE user_id = ${userId} RETURNING CAST(guild_id AS TEXT) AS guild_id`).pipe(
        Effect.flatMap(decodeGuildIds),
        Effect.map((removed) => removed.map(({ guild_id }) => guild_id).toSorted(Snowflake.compare)),
        attempt("remove an account's memberships")
      ),
    list: ({ guildId, ...page }) =>
      attempt("list a guild's memberships")(memberships.page(page, fragment`AND guild_id = ${guildId}`)),
    ofUser: (userId) =>
      attempt("list an account's memberships")(
        memberships.all`WHERE user_id = ${userId} ORDER BY memberships.guild_id`
      )
  }
}
