import type { UserId } from "@community-messaging/domain/account/User"
import type { GuildId } from "@community-messaging/domain/guild/Guild"
import type { MemberChanges } from "@community-messaging/member-index/CommittedMembers"
import { Option, Order } from "effect"
import * as Table from "./Table.ts"

/** Changes that are kept. An index that knows less than that is built anew. */
const KEPT = 10_000

/**
 * Who joined a guild, left it or changed in it, numbered from 1 in the order of the commits; the last ones of them.
 * Immutable, and part of the tables, so that what is rolled back leaves no trace.
 */
export interface MemberChangeLog {
  readonly last: number
  readonly changes: Table.Table<number, { readonly guildId: GuildId; readonly userId: UserId }>
}

/** Nothing has changed yet. */
export const empty: MemberChangeLog = { last: 0, changes: Table.empty(Order.number) }

/** The log with that change at its end. */
export const add = (log: MemberChangeLog, guildId: GuildId, userId: UserId): MemberChangeLog => {
  const last = log.last + 1
  return { last, changes: Table.set(Table.remove(log.changes, last - KEPT), last, { guildId, userId }) }
}

/** The first changes after that position, up to so many; none where they are not all kept any more. */
export const after = (log: MemberChangeLog, position: number, limit: number): Option.Option<MemberChanges> => {
  if (position < log.last - KEPT) return Option.none()
  const changes = Table.after(log.changes, Option.some(position), limit)
  return Option.some({ changes, position: position + changes.length })
}
