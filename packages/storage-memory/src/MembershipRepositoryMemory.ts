import { isEveryone } from "@community-messaging/domain/guild/GuildPermissions"
import { Membership } from "@community-messaging/domain/guild/Membership"
import type { MembershipRepository } from "@community-messaging/domain/guild/MembershipRepository"
import type { StorageError } from "@community-messaging/domain/shared-kernel/StorageError"
import { Array, Either, Option } from "effect"
import { requireThat, requireValid } from "./Constraint.ts"
import type { MemoryState } from "./MemoryState.ts"
import * as Table from "./Table.ts"
import type { Tables } from "./Tables.ts"

const save = (membership: Membership) => (tables: Tables): Either.Either<void, StorageError> =>
  Either.gen(function*() {
    const { guildId, userId } = membership
    yield* requireThat(Table.has(tables.guilds, guildId), "save a membership: its guild does not exist")
    yield* requireThat(Table.has(tables.users, userId), "save a membership: its account does not exist")
    tables.memberships = Table.set(tables.memberships, Table.keyOf(guildId, userId), membership)
  })

const validMembership = requireValid(Membership)

/** `MembershipRepository` in memory. */
export const make = (state: typeof MemoryState.Service): typeof MembershipRepository.Service => ({
  find: (guildId, userId) => state.read(({ memberships }) => Table.get(memberships, Table.keyOf(guildId, userId))),
  findWithRoles: (guildId, userId) =>
    state.read(({ guilds, memberships, rolesOfGuild }) =>
      Option.zipWith(
        Table.get(guilds, guildId),
        Table.get(memberships, Table.keyOf(guildId, userId)),
        (guild, member) => ({
          guild,
          member,
          roles: guild.ownerId === userId
            ? []
            : Table.withPrefix(rolesOfGuild, Table.keyOf(guildId))
              .filter(({ id }) => isEveryone(id, guildId) || member.roleIds.includes(id))
        })
      )
    ),
  findAll: (guildId, userIds) =>
    state.read(({ memberships }) =>
      Array.filterMap(new Set(userIds), (userId) => Table.get(memberships, Table.keyOf(guildId, userId)))
    ),
  save: validMembership("save a membership", (membership) => state.attempt(save(membership))),
  remove: (guildId, userId) =>
    state.write((tables) => {
      tables.memberships = Table.remove(tables.memberships, Table.keyOf(guildId, userId))
    }),
  removeAllOfUser: (userId) =>
    state.write((tables) => {
      const guildIds = Table.rows(tables.memberships)
        .filter((membership) => membership.userId === userId)
        .map(({ guildId }) => guildId)
      for (const guildId of guildIds) {
        tables.memberships = Table.remove(tables.memberships, Table.keyOf(guildId, userId))
      }
      return guildIds
    }),
  list: ({ after, guildId, limit }) =>
    state.read(({ memberships }) =>
      Table.after(
        memberships,
        Option.some(Table.keyOf(guildId, ...Option.toArray(after))),
        limit,
        (membership) => membership.guildId === guildId
      )
    ),
  ofUser: (userId) =>
    state.read(({ memberships }) => Table.rows(memberships).filter((membership) => membership.userId === userId))
})
