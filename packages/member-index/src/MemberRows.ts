import { Discriminator, UserId } from "@community-messaging/domain/account/User"
import { GuildId } from "@community-messaging/domain/guild/Guild"
import type { GuildMember } from "@community-messaging/domain/guild/GuildMember"
import { RoleId } from "@community-messaging/domain/guild/Role"
import { isSnowflake, type Snowflake, toId } from "@community-messaging/domain/shared-kernel/Snowflake"
import { StorageError } from "@community-messaging/domain/shared-kernel/StorageError"
import { WITHOUT_VALIDATION } from "@community-messaging/domain/shared-kernel/WithoutValidation"
import { Effect, Option } from "effect"
import type { IndexedMember } from "./IndexedMember.ts"

/*
 * Decodes rows of arrays by hand. PostgreSQL sends a million of them for an index, and a schema takes some twenty
 * microseconds for each. The checks are the same.
 */

type Row = ReadonlyArray<unknown>

const isText = (value: unknown): value is string => typeof value === "string"
const isTextOrNull = (value: unknown): value is string | null => value === null || typeof value === "string"
const isInteger = (value: unknown): value is number => Number.isSafeInteger(value)
const isIntegerOrNull = (value: unknown): value is number | null => value === null || isInteger(value)
const isFlag = (value: unknown): value is 0 | 1 => value === 0 || value === 1
const isSnowflakeOrNull = (value: unknown): value is Snowflake | null => value === null || isSnowflake(value)

const NO_ROLES: ReadonlyArray<RoleId> = []

/** Parses a JSON array of ids; undefined if it is not one. */
const parseRoleIds = (json: string): ReadonlyArray<RoleId> | undefined => {
  try {
    const ids: unknown = JSON.parse(json)
    return Array.isArray(ids) && ids.every(isSnowflake) ? ids.map((id) => toId(RoleId, id)) : undefined
  } catch {
    return undefined
  }
}

/** The maximum number of cached sets of roles. */
const MAX_KNOWN_ROLE_SETS = 1000

/** Members have few sets of roles: most need not be parsed, and share one array. */
const knownRoleSets = new Map<string, ReadonlyArray<RoleId>>()

/** Returns the ids of a JSON array; undefined if it is not one. */
export const roleIdsOf = (json: unknown): ReadonlyArray<RoleId> | undefined => {
  if (json === "[]") return NO_ROLES
  if (!isText(json)) return undefined
  const known = knownRoleSets.get(json)
  if (known !== undefined) return known
  const roleIds = parseRoleIds(json)
  if (roleIds !== undefined) {
    if (knownRoleSets.size === MAX_KNOWN_ROLE_SETS) knownRoleSets.clear()
    knownRoleSets.set(json, roleIds)
  }
  return roleIds
}

/** The columns of `indexedMember`, of `memberships m` and `users u`. */
export const INDEXED_COLUMNS = `CAST(m.user_id AS TEXT), m.joined_at, u.bot, m.role_ids, m.join_source_type,
  m.source_invite_code, u.username_text, u.global_name_text, m.nickname_text`

/** Decodes an indexed member; undefined if the row is invalid. */
export const indexedMember = (row: Row): IndexedMember | undefined => {
  const [userId, joinedAt, bot, rolesJson, sourceType, inviteCode, username, globalName, nickname] = row
  const roleIds = roleIdsOf(rolesJson)
  return isSnowflake(userId) && isInteger(joinedAt) && isFlag(bot) && roleIds !== undefined &&
      isIntegerOrNull(sourceType) && isTextOrNull(inviteCode) && isText(username) && isTextOrNull(globalName) &&
      isTextOrNull(nickname)
    ? {
      userId: toId(UserId, userId),
      joinedAt,
      isBot: bot === 1,
      roleIds,
      joinSourceType: sourceType ?? undefined,
      sourceInviteCode: inviteCode ?? undefined,
      usernameText: username,
      globalNameText: globalName ?? undefined,
      nicknameText: nickname ?? undefined
    }
    : undefined
}

/** The columns of `guildMember`, of `memberships m` and `users u`. */
export const GUILD_MEMBER_COLUMNS = `CAST(m.user_id AS TEXT), m.nickname, m.role_ids, m.joined_at, m.join_source_type,
  m.source_invite_code, CAST(m.inviter_id AS TEXT), u.username, u.discriminator, u.global_name, u.bot`

const isDiscriminator = (value: unknown): value is number => isInteger(value) && value >= 0 && value <= 9999

/** Decodes a member of the guild; undefined if the row is invalid. */
export const guildMember = (guildId: GuildId) => (row: Row): GuildMember | undefined => {
  const [userId, nickname, rolesJson, joinedAt, sourceType, inviteCode, inviterId, username, ...names] = row
  const [discriminator, globalName, bot] = names
  const roleIds = roleIdsOf(rolesJson)
  return isSnowflake(userId) && isTextOrNull(nickname) && roleIds !== undefined && isInteger(joinedAt) &&
      isIntegerOrNull(sourceType) && isTextOrNull(inviteCode) && isSnowflakeOrNull(inviterId) && isText(username) &&
      username !== "" && isDiscriminator(discriminator) && isTextOrNull(globalName) && isFlag(bot)
    ? {
      guildId,
      userId: toId(UserId, userId),
      nickname: Option.fromNullable(nickname),
      roleIds,
      joinedAt,
      joinSourceType: Option.fromNullable(sourceType),
      sourceInviteCode: Option.fromNullable(inviteCode),
      inviterId: Option.map(Option.fromNullable(inviterId), (id) => toId(UserId, id)),
      username,
      discriminator: Discriminator.make(discriminator, WITHOUT_VALIDATION),
      globalName: Option.fromNullable(globalName),
      isBot: bot === 1
    }
    : undefined
}

/** Decodes the guild and the user of a member change; undefined if the row is invalid. */
export const memberChange = ([guildId, userId]: Row) =>
  isSnowflake(guildId) && isSnowflake(userId)
    ? { guildId: toId(GuildId, guildId), userId: toId(UserId, userId) }
    : undefined

/** Makes the error of an invalid row. `id` is its id if it is known. */
export const invalidRow = (table: string, id?: unknown): StorageError =>
  new StorageError({ operation: `read rows of ${table}: invalid row${isSnowflake(id) ? ` of ${id}` : ""}` })

/** Decodes all rows. An invalid row is a failure. */
export const decodeAll =
  <A>(table: string, decode: (row: Row) => A | undefined) =>
  (rows: ReadonlyArray<Row>): Effect.Effect<ReadonlyArray<A>, StorageError> =>
    Effect.suspend(() => {
      const decoded: Array<A> = []
      for (const row of rows) {
        const value = decode(row)
        if (value === undefined) return Effect.fail(invalidRow(table, row[0]))
        decoded.push(value)
      }
      return Effect.succeed(decoded)
    })

/** Returns the integer in the last column of the row. */
export const lastInteger = (table: string, row: Row | undefined): Effect.Effect<number, StorageError> => {
  const value = row?.at(-1)
  return isInteger(value) ? Effect.succeed(value) : Effect.fail(invalidRow(table, row?.[0]))
}
