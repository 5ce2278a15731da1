import type { UserId } from "@community-messaging/domain/account/User"
import type { GuildId } from "@community-messaging/domain/guild/Guild"
import type { StorageError } from "@community-messaging/domain/shared-kernel/StorageError"
import { Effect, Option } from "effect"
import type { AddNextMembers, MemberChanges, MemberReader, MembersAt, MembersSnapshot } from "./CommittedMembers.ts"
import * as MemberRows from "./MemberRows.ts"

/* The common part of the readers of SQL storages. Their statements differ; `?` is a parameter. */

type Rows = ReadonlyArray<ReadonlyArray<unknown>>

/** Runs a query. Its rows are arrays of values, in the order of the columns. */
export type Select = (
  statement: string,
  parameters: ReadonlyArray<string | number>
) => Effect.Effect<Rows, StorageError>

const decodeChanges = MemberRows.decodeAll("member_changes", MemberRows.memberChange)
const decodeIndexed = MemberRows.decodeAll("memberships", MemberRows.indexedMember)

/** Returns the number of a change in the last column of the first row. */
export const lastChange = ([row]: Rows): Effect.Effect<number, StorageError> =>
  MemberRows.lastInteger("member_changes", row)

/**
 * Reads changes by a statement whose parameters are a number and a limit: it selects guild, user and number of the changes
 * from this number on, in order.
 */
export const changesAfter = (select: Select, statement: string): MemberReader["changesAfter"] => (position, limit) =>
  // Also reads the change at the position itself: if it was removed, later changes may be missing, too.
  Effect.flatMap(
    select(statement, [position, limit + 1]),
    (rows): Effect.Effect<Option.Option<MemberChanges>, StorageError> => {
      const first = rows[0]?.at(-1) ?? 0
      if (first !== position && (position !== 0 || first !== 1)) return Effect.succeedNone
      const news = first === position ? rows.slice(1) : rows.slice(0, limit)
      if (news.length === 0) return Effect.succeedSome({ changes: [], position })
      return Effect.zipWith(
        decodeChanges(news),
        lastChange(news.slice(-1)),
        (changes, reached) => Option.some({ changes, position: reached })
      )
    }
  )

/** The queries for members by their ids. */
export interface MembersByIds {
  /** Selects the members. The last column has the last change of the state that is read. */
  readonly select: (guildId: GuildId, userIds: ReadonlyArray<UserId>) => Effect.Effect<Rows, StorageError>
  /** Selects only the last change. */
  readonly selectLastChange: (guildId: GuildId) => Effect.Effect<Rows, StorageError>
  /** Returns whether a state with this last change is the state at the position. */
  readonly isAt: (lastChange: number, position: number) => boolean
}

const membersAt = <A>(
  { isAt, select, selectLastChange }: MembersByIds,
  decode: (guildId: GuildId, rows: Rows) => Effect.Effect<ReadonlyArray<A>, StorageError>
): MembersAt<A> =>
(guildId, userIds, position) =>
  Effect.flatMap(userIds.length === 0 ? Effect.succeed([]) : select(guildId, userIds), (rows) =>
    Effect.flatMap(
      // Without a row, the last change is read after the members: if it is at the position, the members were, too.
      Effect.flatMap(rows.length === 0 ? selectLastChange(guildId) : Effect.succeed(rows), lastChange),
      (last) => isAt(last, position) ? Effect.asSome(decode(guildId, rows)) : Effect.succeedNone
    ))

/** Reads indexed members, whose columns are `MemberRows.INDEXED_COLUMNS`. */
export const indexed = (byIds: MembersByIds): MemberReader["indexed"] =>
  membersAt(byIds, (_guildId, rows) => decodeIndexed(rows))

/** Reads members, whose columns are `MemberRows.GUILD_MEMBER_COLUMNS`. */
export const page = (byIds: MembersByIds): MemberReader["page"] =>
  membersAt(
    byIds,
    (guildId, rows) => MemberRows.decodeAll("memberships", MemberRows.guildMember(guildId))(rows)
  )

/** Adds members whose columns are `MemberRows.INDEXED_COLUMNS`, until none are selected. */
export const addNext = (select: Effect.Effect<Rows, StorageError>): AddNextMembers => (builder) =>
  Effect.map(Effect.flatMap(select, decodeIndexed), (members) => {
    members.forEach(builder.add)
    return members.length > 0
  })

/** Counts by a statement that selects the number of members, at most `limit`. */
export const count =
  (select: (limit: number) => Effect.Effect<Rows, StorageError>): MembersSnapshot["count"] => (limit) =>
    Effect.flatMap(select(limit), ([row]) => MemberRows.lastInteger("memberships", row))
