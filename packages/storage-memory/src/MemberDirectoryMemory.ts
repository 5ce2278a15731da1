import type { UserId } from "@community-messaging/domain/account/User"
import type { GuildId } from "@community-messaging/domain/guild/Guild"
import { fromMembership, type GuildMember } from "@community-messaging/domain/guild/GuildMember"
import type { Membership } from "@community-messaging/domain/guild/Membership"
import { MemberDirectory } from "@community-messaging/domain/member-search/MemberDirectory"
import type { CommittedMembers } from "@community-messaging/member-index/CommittedMembers"
import * as GuildIndexes from "@community-messaging/member-index/GuildIndexes"
import { fromMember } from "@community-messaging/member-index/IndexedMember"
import { Effect, Layer, Option, RedBlackTree } from "effect"
import * as GroupedTable from "./GroupedTable.ts"
import { inJoinOrder } from "./JoinOrder.ts"
import * as MemberChangeLog from "./MemberChangeLog.ts"
import { MemoryState } from "./MemoryState.ts"
import * as Table from "./Table.ts"
import type { Tables } from "./Tables.ts"

/** Members read at a time: few enough to take some milliseconds, the normalising of their texts counted. */
const AT_A_TIME = 250

const memberOf = (tables: Tables, membership: Membership): ReadonlyArray<GuildMember> =>
  Option.toArray(Option.map(Table.get(tables.users, membership.userId), (user) => fromMembership(membership, user)))

const membersOf = (tables: Tables, guildId: GuildId, userIds: ReadonlyArray<UserId>) => ({
  members: userIds.flatMap((userId) =>
    Option.match(GroupedTable.get(tables.membershipsOfGuild, guildId, userId), {
      onNone: () => [],
      onSome: (membership) => memberOf(tables, membership)
    })
  ),
  position: tables.memberChanges.last
})

/** Tables never change: those of a moment are a snapshot. */
const committedMembers = (state: typeof MemoryState.Service): CommittedMembers => ({
  read: (use) =>
    use({
      changesAfter: (position, limit) =>
        state.readCommitted(({ memberChanges }) => MemberChangeLog.after(memberChanges, position, limit)),
      indexed: (guildId, userIds) =>
        state.readCommitted((tables) => {
          const { members, position } = membersOf(tables, guildId, userIds)
          return { members: members.map(fromMember), position }
        }),
      page: (guildId, userIds) => state.readCommitted((tables) => membersOf(tables, guildId, userIds))
    }),
  snapshot: (guildId) =>
    state.readCommitted((tables) => {
      const memberships = GroupedTable.group(tables.membershipsOfGuild, guildId)
      const ordered = inJoinOrder(RedBlackTree.values(memberships))
      const next = () => {
        const piece: Array<GuildMember> = []
        for (let read = 0; read < AT_A_TIME; read += 1) {
          const { done, value } = ordered.next()
          if (done === true) return piece.length === 0 ? Option.none() : Option.some(piece.map(fromMember))
          // What gives nothing has taken its time for sorting.
          if (value === undefined) break
          piece.push(...memberOf(tables, value))
        }
        return Option.some(piece.map(fromMember))
      }
      return {
        position: tables.memberChanges.last,
        count: (limit) => Effect.succeed(Math.min(limit, RedBlackTree.size(memberships))),
        next: Effect.sync(next)
      }
    })
})

/** Finds members through the indexes of their guilds. */
export const layer: Layer.Layer<MemberDirectory, never, MemoryState> = Layer.scoped(
  MemberDirectory,
  Effect.flatMap(MemoryState, (state) => GuildIndexes.make(committedMembers(state)))
)
