import type { UserId } from "@community-messaging/domain/account/User"
import type { RoleId } from "@community-messaging/domain/guild/Role"
import type { MemberQuery } from "@community-messaging/domain/member-search/MemberQuery"
import type { MemberIndex } from "@community-messaging/member-index/MemberIndex"
import { MemberIndexBuilder } from "@community-messaging/member-index/MemberIndexBuilder"
import type { Database } from "better-sqlite3"
import { Option } from "effect"
import * as Reply from "./Reply.ts"
import { EPOCH } from "./Snowflakes.ts"
import {
  isBoolean,
  isInt32,
  isInt64,
  isIntegerWithin,
  isListOf,
  isRecordOf,
  isSnowflake,
  isString,
  isTextOfAtMost,
  optional
} from "./Values.ts"

/** The body of a search. */
export interface Search {
  readonly query?: string
  readonly limit?: number
  readonly offset?: number
  readonly role_ids?: ReadonlyArray<string>
  readonly joined_at_gte?: number
  readonly joined_at_lte?: number
  readonly join_source_type?: ReadonlyArray<number>
  readonly source_invite_code?: ReadonlyArray<string>
  readonly is_bot?: boolean
  readonly user_created_at_gte?: number
  readonly user_created_at_lte?: number
  readonly sort_by?: "joinedAt" | "relevance"
  readonly sort_order?: "asc" | "desc"
}

const unixTime = optional(isInt64)
const texts = optional(isListOf(isString, 10))

const isBody = isRecordOf({
  query: optional(isTextOfAtMost(100)),
  limit: optional(isIntegerWithin(1, 100)),
  offset: optional(isIntegerWithin(0, Number.MAX_SAFE_INTEGER)),
  role_ids: texts,
  joined_at_gte: unixTime,
  joined_at_lte: unixTime,
  join_source_type: optional(isListOf(isInt32, 10)),
  source_invite_code: texts,
  is_bot: optional(isBoolean),
  user_created_at_gte: unixTime,
  user_created_at_lte: unixTime,
  sort_by: optional((value) => value === "joinedAt" || value === "relevance"),
  sort_order: optional((value) => value === "asc" || value === "desc")
})

/** Whether the value is such a body. */
export const isSearch = (value: unknown): value is Search => isBody(value)

const isUserId = (value: unknown): value is UserId => isSnowflake(value)
const isRoleId = (value: unknown): value is RoleId => isSnowflake(value)

/** The time, limited to integers that compare exactly. */
const moment = (seconds: number | undefined): Option.Option<number> =>
  seconds === undefined
    ? Option.none()
    : Option.some(Math.max(Number.MIN_SAFE_INTEGER, Math.min(Number.MAX_SAFE_INTEGER, seconds)))

const queryOf = (search: Search): MemberQuery => ({
  text: search.query ?? "",
  limit: search.limit ?? 25,
  offset: search.offset ?? 0,
  roleIds: (search.role_ids ?? []).filter(isRoleId),
  joinedAtGte: moment(search.joined_at_gte),
  joinedAtLte: moment(search.joined_at_lte),
  joinSourceTypes: search.join_source_type ?? [],
  sourceInviteCodes: search.source_invite_code ?? [],
  isBot: search.is_bot === undefined ? Option.none() : Option.some(search.is_bot),
  userCreatedAtGte: moment(search.user_created_at_gte),
  userCreatedAtLte: moment(search.user_created_at_lte),
  sortBy: search.sort_by ?? "joinedAt",
  sortOrder: search.sort_order ?? "desc"
})

interface IndexedRow {
  readonly userId: string
  readonly joinedAt: number
  readonly bot: number
  readonly roleIds: string
  readonly joinSourceType: number | null
  readonly sourceInviteCode: string | null
  readonly usernameText: string
  readonly globalNameText: string | null
  readonly nicknameText: string | null
}

const listIn = (json: string): ReadonlyArray<unknown> => {
  const list: unknown = JSON.parse(json)
  return Array.isArray(list) ? list : []
}

/** The index of a guild's members at the start of the server: no measured operation changes them. */
const indexOf = (database: Database, guildId: string): MemberIndex => {
  const builder = new MemberIndexBuilder(EPOCH)
  const rows = database.prepare<[guild: string], IndexedRow>(`
    SELECT CAST(m.user_id AS TEXT) AS userId, m.joined_at AS joinedAt, u.bot, m.role_ids AS roleIds,
      m.join_source_type AS joinSourceType, m.source_invite_code AS sourceInviteCode, u.username_text AS usernameText,
      u.global_name_text AS globalNameText, m.nickname_text AS nicknameText
    FROM memberships m JOIN users u ON u.id = m.user_id WHERE m.guild_id = ? ORDER BY m.joined_at, m.user_id
  `)
  for (const row of rows.iterate(guildId)) {
    if (!isUserId(row.userId)) continue
    builder.add({
      userId: row.userId,
      joinedAt: row.joinedAt,
      isBot: row.bot === 1,
      roleIds: listIn(row.roleIds).filter(isRoleId),
      joinSourceType: row.joinSourceType ?? undefined,
      sourceInviteCode: row.sourceInviteCode ?? undefined,
      usernameText: row.usernameText,
      globalNameText: row.globalNameText ?? undefined,
      nicknameText: row.nicknameText ?? undefined
    })
  }
  return builder.finish()
}

interface MemberRow {
  readonly user_id: string
  readonly nickname: string | null
  readonly role_ids: string
  readonly joined_at: number
  readonly join_source_type: number | null
  readonly source_invite_code: string | null
  readonly inviter_id: string | null
  readonly username: string
  readonly discriminator: number
  readonly global_name: string | null
  readonly bot: number
}

const resourceOf = (guildId: string, row: MemberRow) => ({
  id: `${guildId}:${row.user_id}`,
  guild_id: guildId,
  user_id: row.user_id,
  username: row.username,
  discriminator: row.discriminator.toString().padStart(4, "0"),
  global_name: row.global_name,
  nickname: row.nickname,
  role_ids: listIn(row.role_ids),
  joined_at: row.joined_at,
  supplemental: {
    source_invite_code: row.source_invite_code,
    inviter_id: row.inviter_id,
    join_source_type: row.join_source_type
  },
  is_bot: row.bot === 1
})

const MANAGE_GUILD_OR_ADMINISTRATOR = (1n << 5n) | (1n << 3n)

/** Searches the members of a guild, with the project's own index. */
export const make = (database: Database) => {
  const findGuild = database.prepare<
    [user: string, guild: string],
    { readonly ownerId: string; readonly roleIds: string }
  >(`
    SELECT CAST(g.owner_id AS TEXT) AS ownerId, m.role_ids AS roleIds
    FROM guilds g JOIN memberships m ON m.guild_id = g.id AND m.user_id = ? WHERE g.id = ?
  `)
  const findRoles = database.prepare<[guild: string], { readonly id: string; readonly permissions: string }>(
    "SELECT CAST(id AS TEXT) AS id, permissions FROM roles WHERE guild_id = ?"
  )
  const findPage = database.prepare<[ids: string, guild: string], MemberRow>(`
    SELECT CAST(m.user_id AS TEXT) AS user_id, m.nickname, m.role_ids, m.joined_at, m.join_source_type,
      m.source_invite_code, CAST(m.inviter_id AS TEXT) AS inviter_id, u.username, u.discriminator, u.global_name, u.bot
    FROM json_each(?) wanted CROSS JOIN memberships m ON m.guild_id = ? AND m.user_id = wanted.value
      CROSS JOIN users u ON u.id = m.user_id
  `)
  const indexes = new Map(
    database.prepare<[], string>("SELECT CAST(id AS TEXT) FROM guilds").pluck().all()
      .map((id) => [id, indexOf(database, id)])
  )

  const mayManage = (guildId: string, held: ReadonlyArray<unknown>): boolean =>
    findRoles.all(guildId).some(({ id, permissions }) =>
      (id === guildId || held.includes(id)) && (BigInt(permissions) & MANAGE_GUILD_OR_ADMINISTRATOR) !== 0n
    )

  return {
    search: (userId: string, guildId: string, search: Search): Reply.Reply => {
      const guild = findGuild.get(userId, guildId)
      const index = indexes.get(guildId)
      if (guild === undefined || index === undefined) return Reply.UNKNOWN_GUILD
      if (guild.ownerId !== userId && !mayManage(guildId, listIn(guild.roleIds))) return Reply.MISSING_PERMISSIONS
      // Any string is valid as a role; no member has one that is not an id.
      const isAnybodys = search.role_ids?.every(isRoleId) ?? true
      const { total, userIds } = isAnybodys ? index.search(queryOf(search)) : { userIds: [], total: 0 }
      const members = findPage.all(`[${userIds.join(",")}]`, guildId).map((row) => resourceOf(guildId, row))
      return Reply.json(200, {
        guild_id: guildId,
        members,
        page_result_count: members.length,
        total_result_count: total,
        indexing: false
      })
    }
  }
}
