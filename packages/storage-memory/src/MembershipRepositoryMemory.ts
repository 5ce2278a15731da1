import { Membership } from "@community-messaging/domain/guild/Membership"
import { MembershipRepository } from "@community-messaging/domain/guild/MembershipRepository"
import type { StorageError } from "@community-messaging/domain/shared-kernel/StorageError"
import { Array, Effect, Either, Layer, Option } from "effect"
import { requireThat, requireValid } from "./Constraint.ts"
import * as GroupedTable from "./GroupedTable.ts"
import { MemoryState } from "./MemoryState.ts"
import * as Table from "./Table.ts"
import type { Tables } from "./Tables.ts"

const save = (tables: Tables, membership: Membership): Either.Either<Tables, StorageError> =>
  Either.gen(function*() {
    const { guildId, userId } = membership
    yield* requireThat(Table.has(tables.guilds, guildId), "save a membership: its guild does not exist")
    yield* requireThat(Table.has(tables.users, userId), "save a membership: its account does not exist")
    return {
      ...tables,
      membershipsOfGuild: GroupedTable.set(tables.membershipsOfGuild, guildId, userId, membership),
      membershipsOfUser: GroupedTable.set(tables.membershipsOfUser, userId, guildId, membership)
    }
  })

/** `MembershipRepository` in memory. */
export const layer: Layer.Layer<MembershipRepository, never, MemoryState> = Layer.effect(
  MembershipRepository,
  Effect.map(MemoryState, (state) => ({
    find: (guildId, userId) =>
      state.read(({ membershipsOfGuild }) => GroupedTable.get(membershipsOfGuild, guildId, userId)),
    findWithRoles: (guildId, userId) =>
      state.read(({ guilds, membershipsOfGuild, rolesOfGuild }) =>
        Option.zipWith(
          Table.get(guilds, guildId),
          GroupedTable.get(membershipsOfGuild, guildId, userId),
          (guild, member) => ({
            guild,
            member,
            roles: guild.ownerId === userId
              ? []
              : Table.rows(GroupedTable.group(rolesOfGuild, guildId))
                .filter(({ id }) => id === String(guildId) || member.roleIds.includes(id))
          })
        )
      ),
    findAll: (guildId, userIds) =>
      state.read(({ membershipsOfGuild }) =>
        Array.filterMap(new Set(userIds), (userId) => GroupedTable.get(membershipsOfGuild, guildId, userId))
      ),
    save: requireValid(
      "save a membership",
      Membership,
      (membership) => state.update((tables) => save(tables, membership))
    ),
    remove: (guildId, userId) =>
      state.update((tables) =>
        Either.right({
          ...tables,
          membershipsOfGuild: GroupedTable.remove(tables.membershipsOfGuild, guildId, userId),
          membershipsOfUser: GroupedTable.remove(tables.membershipsOfUser, userId, guildId)
        })
      ),
    list: ({ after, guildId, limit }) =>
      state.read(({ membershipsOfGuild }) =>
        Table.after(GroupedTable.group(membershipsOfGuild, guildId), after, limit)
      ),
    ofUser: (userId) => state.read(({ membershipsOfUser }) => Table.rows(GroupedTable.group(membershipsOfUser, userId)))
  }))
)
