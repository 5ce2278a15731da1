import type { CommittedMembers } from "@community-messaging/member-index/CommittedMembers"
import { column } from "@community-messaging/storage-sql/Column"
import type { Database } from "@community-messaging/storage-sql/Database"
import * as MemberRolesSql from "@community-messaging/storage-sql/MemberRolesSql"
import * as Rows from "@community-messaging/storage-sql/Rows"
import { attempt } from "@community-messaging/storage-sql/SqlFailure"
import { Effect, Option, Schema } from "effect"
import type { CommittedLogs } from "./PostgresDatabase.ts"

const decode = Rows.decodeAll(
  "memberships",
  Schema.Struct({ ...MemberRolesSql.Row.fields, lastChange: column("last_change", Schema.Number) })
)

/**
 * Reads the callers of searches, with the guild's last change in the same statement. In a unit of work the roles are those of
 * the unit, and the last change is not read, because the unit may not see it.
 */
export const make = (
  { isInside, sql }: typeof Database.Service,
  { horizon }: typeof CommittedLogs.Service
): Pick<CommittedMembers, "caller" | "callerWithLastChange"> => {
  const find = MemberRolesSql.find(sql)
  const caller: CommittedMembers["caller"] = (callerId, guildId) => find(guildId, callerId)
  return {
    caller,
    callerWithLastChange: Option.some((callerId, guildId) =>
      Effect.flatMap(isInside, (inside) =>
        inside
          ? Effect.map(caller(callerId, guildId), (found) => ({ caller: found, hasLastChange: () => false }))
          : sql`
            SELECT ${MemberRolesSql.COLUMNS},
              (SELECT last_member_change(CAST(${horizon()} AS xid8), CAST(${guildId} AS bigint))) AS last_change
            FROM ${MemberRolesSql.tables(guildId, callerId)}
          `.pipe(
            Effect.flatMap(decode),
            Effect.map((rows) => ({
              caller: MemberRolesSql.fromRows(guildId, callerId, rows),
              hasLastChange: (position: number) => rows[0] !== undefined && rows[0].lastChange <= position
            })),
            attempt("begin a search")
          ))
    )
  }
}
