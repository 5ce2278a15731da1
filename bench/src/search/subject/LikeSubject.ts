import type { GuildId } from "@community-messaging/domain/guild/Guild"
import { isBlank } from "@community-messaging/domain/member-search/MemberMatch"
import type { MemberQuery } from "@community-messaging/domain/member-search/MemberQuery"
import { normalise, terms } from "@community-messaging/domain/member-search/MemberText"
import type { SearchSubject } from "../SearchSubject.ts"
import { roleJoins, type SqliteMembers } from "./SqliteMembers.ts"
import { anywhere, filters, joined, type Part, SHOWN, TEXT_COLUMNS } from "./SqlText.ts"

/** The term occurs in one of the names. */
export const isLike = (term: string): Part => ({
  sql: `(${TEXT_COLUMNS.map((column) => `m.${column} LIKE ? ESCAPE '\\'`).join(" OR ")})`,
  values: TEXT_COLUMNS.map(() => anywhere(term))
})

/** Equal first, then by prefix, then the others, the better field and the shorter name first. */
const byRelevance = (text: string): Part => {
  const ranks = [
    ...TEXT_COLUMNS.map((column) => `m.${column} = ?`),
    ...TEXT_COLUMNS.map((column) => `substr(m.${column}, 1, ${Array.from(text).length}) = ?`)
  ]
  return {
    sql: `CASE ${ranks.map((is, rank) => `WHEN ${is} THEN ${rank}`).join(" ")} ELSE ${ranks.length} END,
      length(m.username_text), m.user_id`,
    values: ranks.map(() => text)
  }
}

const order = (query: MemberQuery): Part => {
  if (query.sortBy === "relevance" && !isBlank(query)) return byRelevance(normalise(query.text))
  const direction = query.sortOrder === "asc" ? "ASC" : "DESC"
  return { sql: `m.joined_at ${direction}, m.position ${direction}`, values: [] }
}

/** The simplest search, with which most programs begin: `LIKE '%term%'` on every row that the other conditions leave. */
export const make = (name: string, members: SqliteMembers, guildId: GuildId): SearchSubject => ({
  name,
  ranksAsSpecified: false,
  search: (query) => {
    const found = joined([
      { sql: "FROM members m", values: [] },
      roleJoins(guildId, query, "m.position"),
      { sql: "WHERE", values: [] },
      joined(
        [
          { sql: "m.guild_id = ?", values: [BigInt(guildId)] },
          ...filters(query),
          ...terms(normalise(query.text)).map(isLike)
        ],
        " AND "
      )
    ], " ")
    return members.find(
      joined([
        { sql: `SELECT CAST(m.user_id AS TEXT) AS user_id, ${SHOWN}`, values: [] },
        found,
        { sql: "ORDER BY", values: [] },
        order(query),
        { sql: "LIMIT ? OFFSET ?", values: [query.limit, query.offset] }
      ], " "),
      joined([{ sql: "SELECT count(*) AS total", values: [] }, found], " ")
    )
  },
  close: () => Promise.resolve()
})
