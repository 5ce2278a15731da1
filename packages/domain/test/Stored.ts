import { create, type User, UserId } from "@community-messaging/domain/account/User"
import { UserRepository } from "@community-messaging/domain/account/UserRepository"
import { AuditLog } from "@community-messaging/domain/audit/AuditLog"
import type { AuditActor } from "@community-messaging/domain/audit/AuditRecord"
import * as EventStream from "@community-messaging/domain/event/EventStream"
import { Channel, ChannelId } from "@community-messaging/domain/guild/Channel"
import { Guild, GuildId } from "@community-messaging/domain/guild/Guild"
import { GuildRepository } from "@community-messaging/domain/guild/GuildRepository"
import { Membership } from "@community-messaging/domain/guild/Membership"
import { MembershipRepository } from "@community-messaging/domain/guild/MembershipRepository"
import { Role, RoleId } from "@community-messaging/domain/guild/Role"
import { Permissions } from "@community-messaging/domain/shared-kernel/Permissions"
import { Effect } from "effect"

/** Who does what administrators do in these tests. */
export const ACTOR: AuditActor = { _tag: "CommandLine" }

/** Keeps a new account with that id. */
export const account = (id: string, fields: Partial<Omit<User, "id">> = {}) =>
  Effect.gen(function*() {
    const user: User = { ...create({ id: UserId.make(id), username: `user-${id}` }), ...fields }
    yield* Effect.flatMap(UserRepository, (users) => users.save(user))
    return user
  })

/** Keeps a new bot account with that id. */
export const bot = (id: string) => account(id, { bot: true })

/** Keeps a new guild with that id. Its owner, an account that is there, is its first member. */
export const guild = (id: string, ownerId: UserId) =>
  Effect.gen(function*() {
    const made = Guild.make({ id: GuildId.make(id), name: `guild ${id}`, ownerId })
    yield* Effect.flatMap(GuildRepository, (guilds) => guilds.save(made))
    yield* member(made.id, ownerId)
    return made
  })

/** Keeps the account as a member of the guild, with those roles. */
export const member = (guildId: GuildId, userId: UserId, ...roleIds: ReadonlyArray<RoleId>) =>
  Effect.gen(function*() {
    const membership = Membership.make({ guildId, userId, roleIds, joinedAt: 0 })
    yield* Effect.flatMap(MembershipRepository, (memberships) => memberships.save(membership))
    return membership
  })

/** Keeps a new role with that id. */
export const role = (id: string, guildId: GuildId, permissions: bigint) =>
  Effect.gen(function*() {
    const made = Role.make({
      id: RoleId.make(id),
      guildId,
      name: `role ${id}`,
      permissions: Permissions.make(permissions)
    })
    yield* Effect.flatMap(GuildRepository, (guilds) => guilds.saveRole(made))
    return made
  })

/** Keeps a new channel with that id. */
export const channel = (id: string, guildId: GuildId) =>
  Effect.gen(function*() {
    const made = Channel.make({ id: ChannelId.make(id), guildId, name: `channel ${id}` })
    yield* Effect.flatMap(GuildRepository, (guilds) => guilds.saveChannel(made))
    return made
  })

/** All events so far, oldest first. */
export const events = Effect.map(
  EventStream.read(0, 1000),
  (all) => all.map(({ event }) => event)
)

/** All audit records so far, oldest first. */
export const auditRecords = Effect.map(
  Effect.flatMap(AuditLog, (log) => log.read(0, 1000)),
  (all) => all.map(({ record }) => record)
)
