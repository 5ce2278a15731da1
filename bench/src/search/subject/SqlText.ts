import type { MemberQuery } from "@community-messaging/domain/member-search/MemberQuery"
import * as Snowflake from "@community-messaging/domain/shared-kernel/Snowflake"
import { Option } from "effect"
import { EPOCH } from "../community/Community.ts"

/*
 * SQL that the compared databases share. Parameters are written `?`.
 */

/** Part of a statement with the values of its parameters. */
export interface Part {
  readonly sql: string
  readonly values: ReadonlyArray<string | number | bigint>
}

/** The parts one after the other. */
export const joined = (parts: ReadonlyArray<Part>, separator: string): Part => ({
  sql: parts.map(({ sql }) => sql).join(separator),
  values: parts.flatMap(({ values }) => values)
})

/** The text as a pattern of LIKE that finds it anywhere, with `\` as the escape character. */
export const anywhere = (text: string): string => `%${text.replace(/[\\%_]/g, "\\$&")}%`

/** Sorts after every text with that prefix. */
export const afterAllWith = (prefix: string): string => `${prefix}\u{10ffff}`

const firstIdSince = (seconds: number): bigint => BigInt(seconds * 1000 - EPOCH) << Snowflake.TIMESTAMP_SHIFT

const anyOf = (column: string, values: ReadonlyArray<string | number>): ReadonlyArray<Part> =>
  values.length === 0 ? [] : [{ sql: `${column} IN (${values.map(() => "?").join(", ")})`, values }]

const bound = <A>(value: Option.Option<A>, sql: string, of: (value: A) => number | bigint): ReadonlyArray<Part> =>
  Option.toArray(Option.map(value, (given) => ({ sql, values: [of(given)] })))

const itself = (value: number): number => value

/** The conditions of the query on `members m`, except text and roles. */
export const filters = (query: MemberQuery): ReadonlyArray<Part> => [
  ...bound(query.joinedAtGte, "m.joined_at >= ?", itself),
  ...bound(query.joinedAtLte, "m.joined_at <= ?", itself),
  ...anyOf("m.join_source_type", query.joinSourceTypes),
  ...anyOf("m.source_invite_code", query.sourceInviteCodes),
  ...bound(query.isBot, "m.bot = ?", (bot) => bot ? 1 : 0),
  ...bound(query.userCreatedAtGte, "m.user_id >= ?", firstIdSince),
  ...bound(query.userCreatedAtLte, "m.user_id < ?", (seconds) => firstIdSince(seconds + 1))
]

/** The columns of names, in the order in which relevance prefers them. */
export const TEXT_COLUMNS = ["username_text", "global_name_text", "nickname_text"]

/** The returned columns of a member. */
export const SHOWN = [
  "username",
  "global_name",
  "nickname",
  "role_ids",
  "joined_at",
  "join_source_type",
  "source_invite_code",
  "bot"
].map((column) => `m.${column}`).join(", ")
