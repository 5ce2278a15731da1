import type { UserId } from "@community-messaging/domain/account/User"
import type { GuildId } from "@community-messaging/domain/guild/Guild"
import type { StorageError } from "@community-messaging/domain/shared-kernel/StorageError"
import type {
  CommittedMembers,
  MemberPieces,
  MemberReader,
  MembersAt,
  MembersSnapshot
} from "@community-messaging/member-index/CommittedMembers"
import { BEFORE_ALL_IDS } from "@community-messaging/storage-sql/Paging"
import { attempt } from "@community-messaging/storage-sql/SqlFailure"
import type { Parameter } from "@community-messaging/storage-sql/Statements"
import { Effect, Option } from "effect"
import type { Connection } from "./Connection.ts"
import * as MemberRows from "./MemberRows.ts"
import type { Readers } from "./SqliteDatabase.ts"

/** The number of members that are read at a time while an index is built: takes some milliseconds. */
const AT_A_TIME = 250

const LAST_CHANGE = "(SELECT coalesce(max(sequence), 0) FROM member_changes)"

/**
 * Returns SQL for members of a guild by ids in a JSON array, each with the last change of all. SQLite does not reorder
 * a cross join, so the members are in the order of the array.
 */
const byIds = (columns: string) => `
  SELECT ${columns}, ${LAST_CHANGE}
  FROM json_each(?) wanted
  CROSS JOIN memberships m ON m.guild_id = ? AND m.user_id = wanted.value
  CROSS JOIN users u ON u.id = m.user_id`

/** All statements by purpose. */
export const STATEMENTS = {
  position: `SELECT ${LAST_CHANGE}`,
  changes: `
    SELECT CAST(guild_id AS TEXT), CAST(user_id AS TEXT), sequence FROM member_changes
    WHERE sequence >= ? ORDER BY sequence LIMIT ?`,
  indexed: byIds(MemberRows.INDEXED_COLUMNS),
  page: byIds(MemberRows.GUILD_MEMBER_COLUMNS),
  count: "SELECT count(*) FROM (SELECT 1 FROM memberships WHERE guild_id = ? LIMIT ?)",
  nextMembers: `
    SELECT ${MemberRows.INDEXED_COLUMNS} FROM memberships m CROSS JOIN users u ON u.id = m.user_id
    WHERE m.guild_id = ? AND (m.joined_at, m.user_id) > (?, ?) ORDER BY m.joined_at, m.user_id LIMIT ?`
} as const

type Rows = ReadonlyArray<ReadonlyArray<unknown>>

const select = (
  connection: Connection,
  statement: string,
  parameters: ReadonlyArray<Parameter>
): Effect.Effect<Rows, StorageError> =>
  attempt("search members")(Effect.suspend(() => connection.values(statement, parameters)))

const lastChange = ([row]: Rows) => MemberRows.lastInteger("member_changes", row)

const selectPosition = (connection: Connection) =>
  Effect.flatMap(select(connection, STATEMENTS.position, []), lastChange)

const decodeChanges = MemberRows.decodeAll("member_changes", MemberRows.memberChange)
const decodeIndexed = MemberRows.decodeAll("memberships", MemberRows.indexedMember)

/** JSON numbers may have any number of digits, and SQLite reads them as 64-bit integers. */
const asJson = (userIds: ReadonlyArray<UserId>) => `[${userIds.join(",")}]`

const readerOn = (connection: Connection): MemberReader => {
  const membersAt = <A>(
    statement: string,
    guildId: GuildId,
    userIds: ReadonlyArray<UserId>,
    decode: (rows: Rows) => Effect.Effect<ReadonlyArray<A>, StorageError>
  ): Effect.Effect<MembersAt<A>, StorageError> =>
    Effect.flatMap(select(connection, statement, [asJson(userIds), guildId]), (rows) =>
      Effect.zipWith(
        decode(rows),
        rows.length === 0 ? selectPosition(connection) : lastChange(rows),
        (members, position) => ({ members, position })
      ))

  return {
    changesAfter: (position, limit) =>
      // Also reads the change at the position itself: if it was removed, later changes may be missing, too.
      Effect.flatMap(select(connection, STATEMENTS.changes, [position, limit + 1]), (rows) => {
        const first = rows[0]?.at(-1) ?? 0
        if (first !== position && (position !== 0 || first !== 1)) return Effect.succeedNone
        const news = first === position ? rows.slice(1) : rows.slice(0, limit)
        if (news.length === 0) return Effect.succeedSome({ changes: [], position })
        return Effect.zipWith(
          decodeChanges(news),
          lastChange(news.slice(-1)),
          (changes, reached) => Option.some({ changes, position: reached })
        )
      }),
    indexed: (guildId, userIds) => membersAt(STATEMENTS.indexed, guildId, userIds, decodeIndexed),
    page: (guildId, userIds) =>
      membersAt(
        STATEMENTS.page,
        guildId,
        userIds,
        MemberRows.decodeAll("memberships", MemberRows.guildMember(guildId))
      )
  }
}

/** Returns the next members in join order, starting after the last ones. */
const membersOn = (connection: Connection, guildId: GuildId): MemberPieces => {
  let [joinedAt, userId] = [Number.MIN_SAFE_INTEGER, BEFORE_ALL_IDS]
  return Effect.suspend(() => select(connection, STATEMENTS.nextMembers, [guildId, joinedAt, userId, AT_A_TIME])).pipe(
    Effect.flatMap(decodeIndexed),
    Effect.map((members) => {
      const last = members.at(-1)
      if (last === undefined) return Option.none()
      ;({ joinedAt, userId } = last)
      return Option.some(members)
    })
  )
}

/** The guild's members in a snapshot. */
const snapshotOn = (connection: Connection, guildId: GuildId) =>
  Effect.map(selectPosition(connection), (position): MembersSnapshot => ({
    position,
    count: (limit) =>
      Effect.flatMap(
        select(connection, STATEMENTS.count, [guildId, limit]),
        ([row]) => MemberRows.lastInteger("memberships", row)
      ),
    members: membersOn(connection, guildId)
  }))

/** `CommittedMembers` on SQLite. Triggers number the changes, so that changes of other processes are included. */
export const make = ({ committed, openSnapshot }: typeof Readers.Service): CommittedMembers => {
  const reader = readerOn(committed)
  return {
    read: (use) => use(reader),
    snapshot: (guildId) => Effect.flatMap(openSnapshot, (connection) => snapshotOn(connection, guildId))
  }
}
