import type { GuildId } from "@community-messaging/domain/guild/Guild"
import { fromMembership, type GuildMember } from "@community-messaging/domain/guild/GuildMember"
import { MemberDirectory } from "@community-messaging/domain/member-search/MemberDirectory"
import * as MemberMatch from "@community-messaging/domain/member-search/MemberMatch"
import { SnowflakeEpoch } from "@community-messaging/domain/Snowflake"
import { Effect, Layer, Option } from "effect"
import * as GroupedTable from "./GroupedTable.ts"
import { MemoryState } from "./MemoryState.ts"
import * as Table from "./Table.ts"
import type { Tables } from "./Tables.ts"

const membersOf = (tables: Tables, guildId: GuildId): ReadonlyArray<GuildMember> =>
  Table.rows(GroupedTable.group(tables.membershipsOfGuild, guildId)).flatMap((membership) =>
    Option.toArray(Option.map(Table.get(tables.users, membership.userId), (user) => fromMembership(membership, user)))
  )

/** Finds members by looking at each of the guild's. */
export const layer: Layer.Layer<MemberDirectory, never, MemoryState> = Layer.effect(
  MemberDirectory,
  Effect.gen(function*() {
    const state = yield* MemoryState
    const epoch = yield* SnowflakeEpoch
    return {
      search: (guildId, query) =>
        state.readCommitted((tables) => MemberMatch.search(membersOf(tables, guildId), query, epoch))
    }
  })
)
