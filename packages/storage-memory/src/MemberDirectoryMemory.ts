import { fromMembership } from "@community-messaging/domain/guild/GuildMember"
import { MemberDirectory } from "@community-messaging/domain/member-search/MemberDirectory"
import { search } from "@community-messaging/domain/member-search/MemberMatch"
import { SnowflakeEpoch } from "@community-messaging/domain/shared-kernel/Snowflake"
import { Effect, Layer, Option } from "effect"
import * as GroupedTable from "./GroupedTable.ts"
import { MemoryState } from "./MemoryState.ts"
import * as Table from "./Table.ts"

/** `MemberDirectory` in memory. Checks each member with `MemberMatch`; tests compare other storages with it. */
export const layer: Layer.Layer<MemberDirectory, never, MemoryState> = Layer.effect(
  MemberDirectory,
  Effect.zipWith(MemoryState, SnowflakeEpoch, (state, epoch) => ({
    begin: (guildId) =>
      Effect.succeed((query) =>
        state.readCommitted(({ membershipsOfGuild, users }) => {
          const members = Table.rows(GroupedTable.group(membershipsOfGuild, guildId)).flatMap((membership) =>
            Option.toArray(Option.map(Table.get(users, membership.userId), (user) => fromMembership(membership, user)))
          )
          return search(members, query, epoch)
        })
      )
  }))
)
