import type { Membership } from "@community-messaging/domain/guild/Membership"
import { MembershipRepository } from "@community-messaging/domain/guild/MembershipRepository"
import { normalise } from "@community-messaging/domain/member-search/MemberText"
import { Effect, Layer, Option } from "effect"
import { Database } from "./Database.ts"
import { inChunks } from "./InChunks.ts"
import * as MemberRolesSql from "./MemberRolesSql.ts"
import { MembershipRow } from "./MembershipRow.ts"
import { lowerBound } from "./Paging.ts"
import { attempt } from "./SqlFailure.ts"
import * as Table from "./Table.ts"

const derived = {
  nickname_text: ({ nickname }: Membership) => Option.getOrNull(Option.map(nickname, normalise))
}

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
    return {
      findWithRoles: MemberRolesSql.find(sql),
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
