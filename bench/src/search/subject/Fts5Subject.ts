import type { GuildId } from "@community-messaging/domain/guild/Guild"
import { isBlank } from "@community-messaging/domain/member-search/MemberMatch"
import type { MemberQuery } from "@community-messaging/domain/member-search/MemberQuery"
import { normalise, terms } from "@community-messaging/domain/member-search/MemberText"
import type { SearchSubject } from "../SearchSubject.ts"
import { isLike } from "./LikeSubject.ts"
import { roleJoins, type SqliteMembers } from "./SqliteMembers.ts"
import { afterAllWith, filters, joined, type Part, SHOWN, TEXT_COLUMNS } from "./SqlText.ts"

/** The shortest term that has trigrams. */
const SHORTEST = 3

const isLong = (term: string): boolean => Array.from(term).length >= SHORTEST

const nothing: Part = { sql: "", values: [] }

const plain = (sql: string): Part => ({ sql, values: [] })

/** The tables of a search, and the column with the number of a member's row; `members` is joined only on demand. */
interface Source {
  readonly position: string
  readonly from: (withMembers: boolean) => Part
}

const source = (guildId: GuildId, query: MemberQuery): Source => {
  const all = terms(normalise(query.text))
  const long = all.filter(isLong)
  // Terms without trigrams filter the rows that the other conditions leave.
  const conditions = [...filters(query), ...all.filter((term) => !isLong(term)).map(isLike)]
  if (long.length > 0) {
    const match = long.map((term) => `"${term.replaceAll("\"", "\"\"")}"`).join(" AND ")
    return {
      position: "t.rowid",
      from: (withMembers) =>
        joined([
          plain("FROM member_text t"),
          withMembers || conditions.length > 0 ? plain("JOIN members m ON m.position = t.rowid") : nothing,
          roleJoins(guildId, query, "t.rowid"),
          plain("WHERE"),
          joined([{ sql: "t.member_text MATCH ?", values: [match] }, ...conditions], " AND ")
        ], " ")
    }
  }
  if (query.roleIds.length > 0 && conditions.length === 0) {
    const [first = ""] = query.roleIds
    return {
      position: "f.position",
      from: (withMembers) =>
        joined([
          plain("FROM member_roles f"),
          withMembers ? plain("JOIN members m ON m.position = f.position") : nothing,
          roleJoins(guildId, { ...query, roleIds: query.roleIds.slice(1) }, "f.position"),
          { sql: "WHERE f.guild_id = ? AND f.role_id = ?", values: [BigInt(guildId), BigInt(first)] }
        ], " ")
    }
  }
  return {
    position: "m.joined_at",
    from: () =>
      joined([
        plain("FROM members m"),
        roleJoins(guildId, query, "m.position"),
        plain("WHERE"),
        joined([{ sql: "m.guild_id = ?", values: [BigInt(guildId)] }, ...conditions], " AND ")
      ], " ")
  }
}

const SELECT = plain(`SELECT CAST(m.user_id AS TEXT) AS user_id, ${SHOWN}`)

/**
 * Names that begin with the whole query, from the indexes of names, equal ones first; then other hits, up to the limit. This
 * is less than the specification requires, but all that indexes give without sorting every hit.
 */
const byRelevance = (guildId: GuildId, query: MemberQuery, { from, position }: Source): Part => {
  const text = normalise(query.text)
  const prefixed = TEXT_COLUMNS.map((column): Part => ({
    sql: `SELECT * FROM (
      SELECT position FROM members WHERE guild_id = ? AND ${column} >= ? AND ${column} < ? ORDER BY ${column} LIMIT ?
    )`,
    values: [BigInt(guildId), text, afterAllWith(text), query.limit]
  }))
  const others = joined([
    plain(`SELECT * FROM (SELECT ${position === "m.joined_at" ? "m.position" : position}`),
    from(false),
    { sql: "LIMIT ?)", values: [query.limit] }
  ], " ")
  return joined([
    SELECT,
    plain("FROM ("),
    joined([...prefixed, others], " UNION ALL "),
    { sql: "LIMIT ?) best JOIN members m ON m.position = best.position", values: [query.limit] }
  ], " ")
}

const byJoinedAt = (query: MemberQuery, { from, position }: Source): Part => {
  const direction = query.sortOrder === "asc" ? "ASC" : "DESC"
  return joined([
    SELECT,
    from(true),
    {
      sql: `ORDER BY ${position} ${direction}${position === "m.joined_at" ? `, m.position ${direction}` : ""}
        LIMIT ? OFFSET ?`,
      values: [query.limit, query.offset]
    }
  ], " ")
}

/** SQLite's full-text index of trigrams. A term of one or two characters has none and uses LIKE. */
export const make = (name: string, members: SqliteMembers, guildId: GuildId): SearchSubject => ({
  name,
  ranksAsSpecified: false,
  search: (query) => {
    const searched = source(guildId, query)
    return members.find(
      query.sortBy === "relevance" && !isBlank(query)
        ? byRelevance(guildId, query, searched)
        : byJoinedAt(query, searched),
      joined([plain("SELECT count(*) AS total"), searched.from(false)], " ")
    )
  },
  close: () => Promise.resolve()
})
