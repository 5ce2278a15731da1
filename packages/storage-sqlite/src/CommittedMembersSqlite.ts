import type { UserId } from "@community-messaging/domain/account/User"
import type { GuildId } from "@community-messaging/domain/guild/Guild"
import type { StorageError } from "@community-messaging/domain/shared-kernel/StorageError"
import {
  type AddNextMembers,
  type CommittedMembers,
  MAX_IN_ANY_ORDER,
  type MemberReader
} from "@community-messaging/member-index/CommittedMembers"
import { ABSENT, EncodedMembers } from "@community-messaging/member-index/EncodedMembers"
import * as MemberRows from "@community-messaging/member-index/MemberRows"
import { END } from "@community-messaging/member-index/segment/EncodedText"
import * as SqlMemberReader from "@community-messaging/member-index/SqlMemberReader"
import type { Database } from "@community-messaging/storage-sql/Database"
import * as MemberRolesSql from "@community-messaging/storage-sql/MemberRolesSql"
import { BEFORE_ALL_IDS } from "@community-messaging/storage-sql/Paging"
import { attempt } from "@community-messaging/storage-sql/SqlFailure"
import { fragment } from "@community-messaging/storage-sql/Statements"
import { Effect } from "effect"
import type { Connection } from "./Connection.ts"
import type { SqliteFile } from "./SqliteDatabase.ts"

/** The number of members that are read at a time while an index is built: takes a millisecond, nine with 250 roles each. */
const AT_A_TIME = 250

const SELECT_LAST_CHANGE = fragment`SELECT coalesce(max(sequence), 0) FROM member_changes`

const LAST_CHANGE = `(${SELECT_LAST_CHANGE.text})`

/**
 * Returns SQL for members of a guild by ids in a JSON array, each with the last change of all guilds. SQLite does not
 * reorder a cross join, so the members are in the order of the array.
 */
const byIds = (columns: string) => `
  SELECT ${columns}, ${LAST_CHANGE}
  FROM json_each(?) wanted
  CROSS JOIN memberships m ON m.guild_id = ? AND m.user_id = wanted.value
  CROSS JOIN users u ON u.id = m.user_id`

/** Returns SQL for a byte as text, also if UTF-8 does not have it. */
const byte = (value: number) => `CAST(x'${value.toString(16)}' AS TEXT)`

/** The columns of `EncodedMembers`, of `memberships m` and `users u`. The last one ends the nickname. */
const ENCODED_COLUMNS = `m.user_id, m.joined_at, u.bot, coalesce(m.join_source_type, ${byte(ABSENT)}), m.role_ids,
  coalesce(m.source_invite_code, ${byte(ABSENT)}), u.username_text, coalesce(u.global_name_text, ''),
  coalesce(m.nickname_text, ''), ''`

/**
 * Selects members as one value of `EncodedMembers`, in the order of the subquery, and their number. Reading a row for each
 * member takes nearly twice as long.
 */
const encoded = (members: string) => `
  SELECT CAST(group_concat(encoded, '') AS BLOB), count(*) FROM (
    SELECT concat_ws(${byte(END)}, ${ENCODED_COLUMNS}) AS encoded
    FROM memberships m CROSS JOIN users u ON u.id = m.user_id
    ${members})`

/** All statements by purpose. */
export const STATEMENTS = {
  position: `SELECT ${LAST_CHANGE}`,
  changes: `
    SELECT CAST(guild_id AS TEXT), CAST(user_id AS TEXT), sequence FROM member_changes
    WHERE sequence >= ? ORDER BY sequence LIMIT ?`,
  indexed: byIds(MemberRows.INDEXED_COLUMNS),
  page: byIds(MemberRows.GUILD_MEMBER_COLUMNS),
  count: "SELECT count(*) FROM (SELECT 1 FROM memberships WHERE guild_id = ? LIMIT ?)",
  nextByUser: encoded("WHERE m.guild_id = ? AND m.user_id > ? ORDER BY m.user_id LIMIT ?"),
  nextByJoining: encoded(`
    WHERE m.guild_id = ? AND (m.joined_at, m.user_id) > (?, ?) ORDER BY m.joined_at, m.user_id LIMIT ?`)
} as const

const selectOn = (connection: Connection): SqlMemberReader.Select => (statement, parameters) =>
  attempt("search members")(Effect.suspend(() => connection.values(statement, parameters)))

/** JSON numbers may have any number of digits, and SQLite reads them as 64-bit integers. */
const asJson = (userIds: ReadonlyArray<UserId>) => `[${userIds.join(",")}]`

/** Returns whether a state with this last change, of any guild, is the state at the position. */
const isAt = (lastChange: number, position: number): boolean => lastChange === position

const readerOn = (connection: Connection): MemberReader => {
  const select = selectOn(connection)
  const members = (statement: string): SqlMemberReader.MembersByIds => ({
    select: (guildId, userIds) => select(statement, [asJson(userIds), guildId]),
    selectLastChange: () => select(STATEMENTS.position, []),
    isAt
  })
  return {
    changesAfter: SqlMemberReader.changesAfter(select, STATEMENTS.changes),
    indexed: SqlMemberReader.indexed(members(STATEMENTS.indexed)),
    page: SqlMemberReader.page(members(STATEMENTS.page))
  }
}

/** Adds members that are selected after the one that was added last. */
const addNextEncoded = (
  select: (last: EncodedMembers | undefined) => Effect.Effect<ReadonlyArray<ReadonlyArray<unknown>>, StorageError>
): AddNextMembers => {
  let last: EncodedMembers | undefined
  return (builder) =>
    Effect.flatMap(Effect.suspend(() => select(last)), ([row = []]) => {
      const [bytes, count] = row
      if (count === 0) return Effect.succeed(false)
      if (!Buffer.isBuffer(bytes) || typeof count !== "number") return Effect.fail(MemberRows.invalidRow("memberships"))
      const members = new EncodedMembers(bytes)
      last = members
      for (let added = 0; added < count; added += 1) {
        if (!builder.addEncoded(members)) return Effect.fail(MemberRows.invalidRow("memberships", members.userId()))
      }
      // A text with a byte that ends a field would be several fields.
      return members.isAtEnd ? Effect.succeed(true) : Effect.fail(MemberRows.invalidRow("memberships"))
    })
}

/** The guild's members in a snapshot. */
const snapshotOn = (connection: Connection, guildId: GuildId) =>
  Effect.gen(function*() {
    const select = selectOn(connection)
    const count = SqlMemberReader.count((limit) => select(STATEMENTS.count, [guildId, limit]))
    // The order of the table's key. Reads in this order take about two thirds of the time.
    const byUser = addNextEncoded((last) =>
      select(STATEMENTS.nextByUser, [guildId, last?.userId() ?? BEFORE_ALL_IDS, AT_A_TIME])
    )
    const byJoining = addNextEncoded((last) =>
      select(STATEMENTS.nextByJoining, [
        guildId,
        last?.joinedAt ?? Number.MIN_SAFE_INTEGER,
        last?.userId() ?? BEFORE_ALL_IDS,
        AT_A_TIME
      ])
    )
    const position = yield* Effect.flatMap(select(STATEMENTS.position, []), SqlMemberReader.lastChange)
    const isLarge = (yield* count(MAX_IN_ANY_ORDER + 1)) > MAX_IN_ANY_ORDER
    return { position, count, addNext: isLarge ? byJoining : byUser }
  })

/** `CommittedMembers` on SQLite. Triggers number the changes, so that changes of other processes are included. */
export const make = (
  { committed, openSnapshot }: typeof SqliteFile.Service,
  database: typeof Database.Service
): CommittedMembers => ({
  reader: readerOn(committed),
  caller: MemberRolesSql.find(database.sql),
  callerWithLastChange: MemberRolesSql.findWithLastChange(database, { select: () => SELECT_LAST_CHANGE, isAt }),
  snapshot: (guildId) => Effect.flatMap(openSnapshot, (connection) => snapshotOn(connection, guildId))
})
