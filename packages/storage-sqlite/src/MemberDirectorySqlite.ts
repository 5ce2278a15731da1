import type { GuildId } from "@community-messaging/domain/guild/Guild"
import { GuildMember } from "@community-messaging/domain/guild/GuildMember"
import { MemberDirectory } from "@community-messaging/domain/member-search/MemberDirectory"
import { isBlank, search } from "@community-messaging/domain/member-search/MemberMatch"
import type { MemberQuery } from "@community-messaging/domain/member-search/MemberQuery"
import { normalise, terms } from "@community-messaging/domain/member-search/MemberText"
import { SnowflakeEpoch } from "@community-messaging/domain/Snowflake"
import type { Statement } from "@effect/sql"
import { Effect, Layer, Schema } from "effect"
import { column, Flag, nullable } from "./Column.ts"
import { Database } from "./Database.ts"
import { memberConditions } from "./MemberConditions.ts"
import { MembershipRow } from "./MembershipRow.ts"
import * as Rows from "./Rows.ts"
import { attempt } from "./SqliteFailure.ts"
import { isWellFormed } from "./WellFormedText.ts"

const MemberRow = Schema.Struct({
  ...MembershipRow.fields,
  username: GuildMember.fields.username,
  discriminator: GuildMember.fields.discriminator,
  globalName: nullable("global_name", Schema.String),
  isBot: column("bot", Flag)
})

const COLUMNS = `
  CAST(m.guild_id AS TEXT) AS guild_id, CAST(m.user_id AS TEXT) AS user_id, m.nickname, m.role_ids, m.joined_at,
  m.join_source_type, m.source_invite_code, CAST(m.inviter_id AS TEXT) AS inviter_id,
  u.username, u.discriminator, u.global_name, u.bot`

const CountRow = Schema.Struct({ total: Schema.NonNegativeInt })

/**
 * Finds members by conditions in SQL. Where the order is by relevance, or the text is more than SQLite can compare, those
 * that the other conditions leave are searched by `MemberMatch` itself.
 */
export const layer: Layer.Layer<MemberDirectory, never, Database> = Layer.effect(
  MemberDirectory,
  Effect.gen(function*() {
    const { committed: { snapshot, sql } } = yield* Database
    const epoch = yield* SnowflakeEpoch
    const decode = Rows.decodeAll("memberships", MemberRow)

    const found = (guildId: GuildId, query: MemberQuery) =>
      sql`
        FROM memberships m JOIN users u ON u.id = m.user_id
        WHERE ${sql.and(memberConditions(sql, guildId, query, epoch))}
      `
    const select = (rest: Statement.Fragment) => Effect.flatMap(sql`SELECT ${sql.literal(COLUMNS)} ${rest}`, decode)

    const searched = (guildId: GuildId, query: MemberQuery) =>
      Effect.map(select(found(guildId, query)), (candidates) => search(candidates, query, epoch))

    const paged = (guildId: GuildId, query: MemberQuery) =>
      Effect.gen(function*() {
        const direction = sql.literal(query.sortOrder === "asc" ? "ASC" : "DESC")
        const members = yield* select(sql`
          ${found(guildId, query)} ORDER BY m.joined_at ${direction}, m.user_id ${direction}
          LIMIT ${query.limit} OFFSET ${query.offset}
        `)
        const [counted] = yield* Effect.flatMap(
          sql`SELECT count(*) AS total ${found(guildId, query)}`,
          Rows.decodeAll("memberships", CountRow)
        )
        return { members, total: counted?.total ?? 0, indexing: false }
      }).pipe(snapshot)

    return {
      search: (guildId, query) =>
        attempt("search members")(
          isBlank(query) || (query.sortBy === "joinedAt" && terms(normalise(query.text)).every(isWellFormed))
            ? paged(guildId, query)
            : searched(guildId, query)
        )
    }
  })
)
