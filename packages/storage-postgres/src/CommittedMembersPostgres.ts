import type { UserId } from "@community-messaging/domain/account/User"
import type { GuildId } from "@community-messaging/domain/guild/Guild"
import { FifoLock } from "@community-messaging/domain/shared-kernel/FifoLock"
import type { CommittedMembers, MemberReader } from "@community-messaging/member-index/CommittedMembers"
import * as MemberRows from "@community-messaging/member-index/MemberRows"
import * as SqlMemberReader from "@community-messaging/member-index/SqlMemberReader"
import type { Database } from "@community-messaging/storage-sql/Database"
import * as MemberRolesSql from "@community-messaging/storage-sql/MemberRolesSql"
import { attempt } from "@community-messaging/storage-sql/SqlFailure"
import { fragment } from "@community-messaging/storage-sql/Statements"
import { Effect } from "effect"
import type { Connection } from "./Connection.ts"
import type { ConnectionPool } from "./ConnectionPool.ts"
import { BEGIN_SNAPSHOT } from "./Group.ts"
import { NumberedChanges } from "./NumberedChanges.ts"
import type { PostgresServer } from "./PostgresDatabase.ts"

/** The number of members that are read at a time while an index is built: takes some milliseconds. */
const AT_A_TIME = 250

/** The last change of a guild's members: a function of the schema. A subselect of it runs once for all rows. */
const LAST_CHANGE = "(SELECT last_member_change(CAST(? AS xid8), CAST(? AS bigint)))"

/**
 * Returns SQL for members of a guild in the order of their ids in an array, each with the last change of the guild. The
 * subselect hides the array's length from the planner: otherwise, it plans the statement again for each short array, which
 * takes longer than the read itself. The offset lets it look up each id: if most guilds are small, its plan for any guild
 * would read all members of a large one.
 */
const byIds = (columns: string) => `
  SELECT ${columns}, ${LAST_CHANGE}
  FROM unnest((SELECT CAST(? AS bigint[]))) WITH ORDINALITY AS wanted (user_id, place)
  CROSS JOIN LATERAL (
    SELECT * FROM memberships WHERE guild_id = CAST(? AS bigint) AND user_id = wanted.user_id OFFSET 0
  ) AS m
  JOIN users u ON u.id = m.user_id
  ORDER BY wanted.place`

/** A change, by its content and the transaction that numbered it, and its number. */
const CHANGE = "CAST(guild_id AS text), CAST(user_id AS text), CAST(xmin AS text), sequence"

/** All statements by purpose. */
const STATEMENTS = {
  lastChange: `SELECT ${LAST_CHANGE}`,
  last: `SELECT ${CHANGE} FROM member_changes ORDER BY sequence DESC LIMIT 1`,
  changes: `
    SELECT ${CHANGE} FROM member_changes
    WHERE sequence >= CAST(? AS bigint) ORDER BY sequence LIMIT CAST(? AS integer)`,
  indexed: byIds(MemberRows.INDEXED_COLUMNS),
  page: byIds(MemberRows.GUILD_MEMBER_COLUMNS),
  count: "SELECT count(*) FROM (SELECT 1 FROM memberships WHERE guild_id = ? LIMIT CAST(? AS integer)) AS counted",
  // One plan and one run for all members, with any statistics of the tables.
  openMembers: `
    DECLARE members NO SCROLL CURSOR FOR
    SELECT ${MemberRows.INDEXED_COLUMNS} FROM memberships m JOIN users u ON u.id = m.user_id
    WHERE m.guild_id = ? ORDER BY m.joined_at, m.user_id`,
  nextMembers: `FETCH ${AT_A_TIME} FROM members`
} as const

const selectOn = (connection: Connection): SqlMemberReader.Select => (statement, parameters) =>
  attempt("search members")(connection.values(statement, parameters))

const asArray = (userIds: ReadonlyArray<UserId>) => `{${userIds.join(",")}}`

/** Returns whether a state with this last change of the guild is the state at the position. */
const isAt = (lastChange: number, position: number): boolean => lastChange <= position

/** Reads committed data, each statement on any connection. */
const reader = (
  { logs: { horizon, settled }, pool }: typeof PostgresServer.Service,
  numbered: NumberedChanges
): MemberReader => {
  const select: SqlMemberReader.Select = (statement, parameters) =>
    pool.use((connection) => selectOn(connection)(statement, parameters))
  const ofGuild = (guildId: GuildId) => [horizon(), guildId]
  const members = (statement: string): SqlMemberReader.MembersByIds => ({
    select: (guildId, userIds) => select(statement, [...ofGuild(guildId), asArray(userIds), guildId]),
    selectLastChange: (guildId) => select(STATEMENTS.lastChange, ofGuild(guildId)),
    isAt
  })
  const changesAfter = SqlMemberReader.changesAfter(
    (statement, parameters) => Effect.map(select(statement, parameters), (rows) => numbered.withoutReplaced(rows)),
    STATEMENTS.changes
  )
  return {
    changesAfter: (position, limit) => Effect.zipRight(settled, changesAfter(position, limit)),
    indexed: SqlMemberReader.indexed(members(STATEMENTS.indexed)),
    page: SqlMemberReader.page(members(STATEMENTS.page))
  }
}

/** Takes a connection until the scope closes. Only the waiting can be interrupted. */
const connectionOf = (pool: ConnectionPool) =>
  Effect.uninterruptibleMask((restore) =>
    Effect.tap(pool.acquire(restore), (connection) =>
      // The transaction only reads: if its end fails, the connection is closed.
      Effect.addFinalizer(() =>
        Effect.zipRight(Effect.ignore(connection.end("ROLLBACK")), Effect.sync(() => pool.release(connection)))
      ))
  )

/** The guild's members in a snapshot. */
const snapshotOn = (connection: Connection, guildId: GuildId, numbered: NumberedChanges) =>
  Effect.gen(function*() {
    const select = selectOn(connection)
    connection.begin(BEGIN_SNAPSHOT)
    const last = yield* select(STATEMENTS.last, [])
    numbered.remember(last[0])
    const position = last.length === 0 ? 0 : yield* SqlMemberReader.lastChange(last)
    const open = yield* Effect.once(select(STATEMENTS.openMembers, [guildId]))
    return {
      position,
      count: SqlMemberReader.count((limit) => select(STATEMENTS.count, [guildId, limit])),
      addNext: SqlMemberReader.addNext(Effect.zipRight(open, select(STATEMENTS.nextMembers, [])))
    }
  })

/**
 * `CommittedMembers` on PostgreSQL. Changes get their numbers after their commit. A guild has changed after the position if
 * it has a change without a number, or with a larger number. At most half of the connections read snapshots, so that the
 * others stay available.
 */
export const make = (
  server: typeof PostgresServer.Service,
  database: typeof Database.Service
): CommittedMembers => {
  const { logs, pool } = server
  const numbered = new NumberedChanges()
  const snapshots = new FifoLock(Math.max(1, Math.floor(pool.size / 2)))
  const turn = Effect.uninterruptibleMask((restore) =>
    Effect.zipRight(snapshots.acquire(restore), Effect.addFinalizer(() => Effect.sync(() => snapshots.release())))
  )
  return {
    caller: MemberRolesSql.find(database.sql),
    callerWithLastChange: MemberRolesSql.findWithLastChange(database, {
      select: (guildId) =>
        fragment`SELECT last_member_change(CAST(${logs.horizon()} AS xid8), CAST(${guildId} AS bigint))`,
      isAt
    }),
    reader: reader(server, numbered),
    snapshot: (guildId) =>
      turn.pipe(
        Effect.zipRight(logs.settled),
        Effect.zipRight(connectionOf(pool)),
        Effect.flatMap((connection) => snapshotOn(connection, guildId, numbered))
      )
  }
}
