import { fromMembership } from "@community-messaging/domain/guild/GuildMember"
import type { MembershipRepository } from "@community-messaging/domain/guild/MembershipRepository"
import type { MemberDirectory } from "@community-messaging/domain/member-search/MemberDirectory"
import { search } from "@community-messaging/domain/member-search/MemberMatch"
import type { SnowflakeEpoch } from "@community-messaging/domain/shared-kernel/Snowflake"
import { Effect, Option } from "effect"
import type { MemoryState } from "./MemoryState.ts"
import * as Table from "./Table.ts"

/** `MemberDirectory` in memory. Checks each member with `MemberMatch`; tests compare other storages with it. */
export const make = (
  state: typeof MemoryState.Service,
  { findWithRoles }: typeof MembershipRepository.Service,
  epoch: typeof SnowflakeEpoch.Service
): typeof MemberDirectory.Service => ({
  begin: (callerId, guildId) =>
    Effect.map(findWithRoles(guildId, callerId), (caller) => ({
      caller,
      search: (query) =>
        state.readCommitted(({ memberships, users }) => {
          const members = Table.withPrefix(memberships, Table.keyOf(guildId)).flatMap((membership) =>
            Option.toArray(Option.map(Table.get(users, membership.userId), (user) => fromMembership(membership, user)))
          )
          return search(members, query, epoch)
        })
    }))
})
