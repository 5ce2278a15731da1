import type { GuildId } from "@community-messaging/domain/guild/Guild"
import type { MemberQuery } from "@community-messaging/domain/member-search/MemberQuery"
import { normalise, terms } from "@community-messaging/domain/member-search/MemberText"
import * as Snowflake from "@community-messaging/domain/Snowflake"
import type { Statement } from "@effect/sql"
import { Option, Schema } from "effect"
import { isWellFormed } from "./WellFormedText.ts"

const isSnowflake = Schema.is(Snowflake.Snowflake)

/** The smallest snowflake made at that moment, in Unix seconds, or after; it may lie outside the range of snowflakes. */
const firstSince = (seconds: number, epoch: number): bigint =>
  (BigInt(seconds) * 1000n - BigInt(epoch)) << Snowflake.TIMESTAMP_SHIFT

/** The bound as SQLite's integers can hold it: one below all snowflakes, or above them, stays so. */
const withinIntegers = (bound: bigint): string =>
  (bound < -1n ? -1n : bound > Snowflake.MAX_SNOWFLAKE ? Snowflake.MAX_SNOWFLAKE : bound).toString()

/**
 * What a query asks of a guild's member, on `memberships m` and `users u`. Exact, but for terms with lone surrogates: those are
 * left out, as no stored text has any.
 */
export const memberConditions = (
  sql: Statement.Constructor,
  guildId: GuildId,
  query: MemberQuery,
  epoch: number
): ReadonlyArray<Statement.Fragment> => {
  const when = <A>(value: Option.Option<A>, condition: (value: A) => Statement.Fragment) =>
    Option.toArray(Option.map(value, condition))
  const anyOf = <A>(wanted: ReadonlyArray<A>, name: string, storable: ReadonlyArray<A>) =>
    wanted.length === 0 ? [] : [sql.in(name, storable)]

  return [
    sql`m.guild_id = ${guildId}`,
    ...query.roleIds.map((roleId) =>
      sql`m.user_id IN (SELECT r.user_id FROM member_roles r WHERE r.guild_id = ${guildId} AND r.role_id = ${roleId})`
    ),
    ...when(query.joinedAtGte, (bound) => sql`m.joined_at >= ${bound}`),
    ...when(query.joinedAtLte, (bound) => sql`m.joined_at <= ${bound}`),
    ...anyOf(query.joinSourceTypes, "join_source_type", query.joinSourceTypes),
    ...anyOf(query.sourceInviteCodes, "source_invite_code", query.sourceInviteCodes.filter(isWellFormed)),
    ...when(query.isBot, (bot) => sql`u.bot = ${bot ? 1 : 0}`),
    ...when(query.userCreatedAtGte, (bound) => {
      const first = firstSince(bound, epoch)
      return first > Snowflake.MAX_SNOWFLAKE ? sql`FALSE` : sql`m.user_id >= ${withinIntegers(first)}`
    }),
    ...when(query.userCreatedAtLte, (bound) => sql`m.user_id <= ${withinIntegers(firstSince(bound + 1, epoch) - 1n)}`),
    ...textConditions(sql, normalise(query.text))
  ]
}

const textConditions = (sql: Statement.Constructor, text: string): ReadonlyArray<Statement.Fragment> => {
  const all = terms(text).filter(isWellFormed).map((term) =>
    sql`(
      instr(u.username_text, ${term}) > 0 OR instr(u.global_name_text, ${term}) > 0
      OR instr(m.nickname_text, ${term}) > 0
    )`
  )
  if (all.length === 0) return []
  return isSnowflake(text) ? [sql.or([sql.and(all), sql`m.user_id = ${text}`])] : [sql.and(all)]
}
