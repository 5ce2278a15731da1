import type { GuildId } from "@community-messaging/domain/guild/Guild"
import { isBlank } from "@community-messaging/domain/member-search/MemberMatch"
import type { MemberQuery } from "@community-messaging/domain/member-search/MemberQuery"
import { normalise, terms } from "@community-messaging/domain/member-search/MemberText"
import { inTurn } from "../../report/InTurn.ts"
import type { Community } from "../community/Community.ts"
import type { SearchSubject } from "../SearchSubject.ts"
import type { PostgresConnection } from "./PostgresServer.ts"
import { afterAllWith, anywhere, filters, joined, type Part, SHOWN, TEXT_COLUMNS } from "./SqlText.ts"

/** Its own schema: the server may have other data. */
const SCHEMA = "community_messaging_bench"

/** All names are also in one column: an index on three columns is read three times for each term. Unlogged loads faster. */
const TABLE = `
  CREATE UNLOGGED TABLE ${SCHEMA}.members (
    guild_id int8 NOT NULL,
    user_id int8 NOT NULL,
    username text NOT NULL,
    global_name text,
    nickname text,
    role_ids int8[] NOT NULL,
    joined_at int8 NOT NULL,
    join_source_type int4,
    source_invite_code text,
    bot int2 NOT NULL,
    username_text text COLLATE "C" NOT NULL,
    global_name_text text COLLATE "C",
    nickname_text text COLLATE "C",
    search_text text NOT NULL
  )
`

/** One query, so that the server creates them one after the other without the client. */
const INDEXES = [
  "CREATE UNIQUE INDEX ON members (guild_id, user_id)",
  "CREATE INDEX ON members (guild_id, joined_at, user_id)",
  "CREATE INDEX ON members (guild_id, join_source_type)",
  "CREATE INDEX ON members (guild_id, source_invite_code)",
  ...TEXT_COLUMNS.map((column) => `CREATE INDEX ON members (guild_id, ${column})`),
  "CREATE INDEX ON members USING gin (role_ids)",
  "CREATE INDEX ON members USING gin (search_text gin_trgm_ops)"
].join(";")

const ROWS_AT_A_TIME = 10_000

const insert = async ({ client }: PostgresConnection, { guildId, members }: Community): Promise<void> => {
  const pieces = Array.from(
    { length: Math.ceil(members.length / ROWS_AT_A_TIME) },
    (_, piece) => piece * ROWS_AT_A_TIME
  )
  let before: Promise<unknown> = Promise.resolve()
  await inTurn(pieces, async (first) => {
    const rows = members.slice(first, first + ROWS_AT_A_TIME).map((member) => ({
      user_id: member.userId,
      username: member.username,
      global_name: member.globalName,
      nickname: member.nickname,
      role_ids: `{${member.roleIds.join(",")}}`,
      joined_at: member.joinedAt,
      join_source_type: member.joinSourceType,
      source_invite_code: member.sourceInviteCode,
      bot: member.isBot ? 1 : 0,
      username_text: member.usernameText,
      global_name_text: member.globalNameText,
      nickname_text: member.nicknameText,
      search_text: [member.usernameText, member.globalNameText, member.nicknameText]
        .filter((text) => text !== undefined).join("\n")
    }))
    const values = [guildId, JSON.stringify(rows)]
    // While the server inserts rows, the client encodes the next ones.
    await before
    before = client.query(
      `INSERT INTO members SELECT $1, user_id, username, global_name, nickname, role_ids, joined_at, join_source_type,
        source_invite_code, bot, username_text, global_name_text, nickname_text, search_text
      FROM json_to_recordset($2) AS row (user_id int8, username text, global_name text, nickname text, role_ids int8[],
        joined_at int8, join_source_type int4, source_invite_code text, bot int2, username_text text,
        global_name_text text, nickname_text text, search_text text)`,
      values
    )
  })
  await before
}

const conditions = (guildId: GuildId, query: MemberQuery): Part =>
  joined([
    { sql: "m.guild_id = ?", values: [guildId] },
    ...query.roleIds.length === 0
      ? []
      : [{ sql: "m.role_ids @> ?::int8[]", values: [`{${query.roleIds.join(",")}}`] }],
    ...filters(query),
    ...terms(normalise(query.text)).map((term): Part => ({ sql: "m.search_text LIKE ?", values: [anywhere(term)] }))
  ], " AND ")

const select = (rest: ReadonlyArray<Part>): Part =>
  joined([{ sql: `SELECT m.user_id, ${SHOWN} FROM`, values: [] }, ...rest], " ")

const byJoinedAt = (query: MemberQuery, where: Part): Part => {
  const direction = query.sortOrder === "asc" ? "ASC" : "DESC"
  return select([
    { sql: "members m WHERE", values: [] },
    where,
    {
      sql: `ORDER BY m.joined_at ${direction}, m.user_id ${direction} LIMIT ? OFFSET ?`,
      values: [query.limit, query.offset]
    }
  ])
}

/** As with FTS5: names that begin with the whole query, equal ones first; then other hits, up to the limit. */
const byRelevance = (guildId: GuildId, query: MemberQuery, where: Part): Part => {
  const text = normalise(query.text)
  const prefixed = TEXT_COLUMNS.map((column): Part => ({
    sql: `(SELECT * FROM members m WHERE guild_id = ? AND ${column} >= ? AND ${column} < ? ORDER BY ${column} LIMIT ?)`,
    values: [guildId, text, afterAllWith(text), query.limit]
  }))
  const others = joined([
    { sql: "(SELECT * FROM members m WHERE", values: [] },
    where,
    { sql: "LIMIT ?)", values: [query.limit] }
  ], " ")
  return select([
    { sql: "(", values: [] },
    joined([...prefixed, others], " UNION ALL "),
    { sql: "LIMIT ?) m", values: [query.limit] }
  ])
}

/** PostgreSQL numbers its parameters. */
const numbered = ({ sql, values }: Part) => {
  let number = 0
  return { text: sql.replace(/\?/g, () => `$${number += 1}`), values: Array.from(values) }
}

/** Loads the community into a schema of its own; the returned function waits until the server has created the indexes. */
export const load = async (
  connection: PostgresConnection,
  community: Community
): Promise<() => Promise<void>> => {
  const { client } = connection
  await client.query(`DROP SCHEMA IF EXISTS ${SCHEMA} CASCADE`)
  await client.query(`CREATE SCHEMA ${SCHEMA}`)
  await client.query(`SET search_path = ${SCHEMA}, public`)
  await client.query(TABLE)
  await insert(connection, community)
  const indexes = client.query(INDEXES)
  return async () => {
    await indexes
    await client.query("VACUUM ANALYZE members")
  }
}

/** PostgreSQL with an inverted index of trigrams; drops its schema at the end. */
export const make = (name: string, { client }: PostgresConnection, guildId: GuildId): SearchSubject => ({
  name,
  ranksAsSpecified: false,
  search: async (query) => {
    const where = conditions(guildId, query)
    // Both are sent at once; the server runs one after the other.
    const [page, total] = await Promise.all([
      client.query<{ readonly user_id: string }>(numbered(
        query.sortBy === "relevance" && !isBlank(query)
          ? byRelevance(guildId, query, where)
          : byJoinedAt(query, where)
      )),
      client.query<{ readonly total: string }>(numbered(
        joined([{ sql: "SELECT count(*) AS total FROM members m WHERE", values: [] }, where], " ")
      ))
    ])
    return { userIds: page.rows.map(({ user_id: userId }) => userId), total: Number(total.rows[0]?.total ?? 0) }
  },
  close: async () => {
    await client.query(`DROP SCHEMA ${SCHEMA} CASCADE`)
  }
})
