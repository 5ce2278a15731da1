import * as Saved from "@community-messaging/domain-contract/Saved"
import { type User, UserId } from "@community-messaging/domain/account/User"
import { AuditLog } from "@community-messaging/domain/audit/AuditLog"
import type { AuditActor } from "@community-messaging/domain/audit/AuditRecord"
import * as EventStream from "@community-messaging/domain/event/EventStream"
import { ChannelId } from "@community-messaging/domain/guild/Channel"
import { GuildId } from "@community-messaging/domain/guild/Guild"
import { RoleId } from "@community-messaging/domain/guild/Role"
import { Permissions } from "@community-messaging/domain/shared-kernel/Permissions"
import { Effect } from "effect"

/** The administrator of these tests. */
export const ACTOR: AuditActor = { _tag: "CommandLine" }

/** Saves a new account with this id. */
export const account = (id: string, changes: Partial<Omit<User, "id">> = {}) =>
  Saved.user({ username: `user-${id}`, ...changes, id: UserId.make(id) })

/** Saves a new bot account with this id. */
export const bot = (id: string) => account(id, { bot: true })

/** Saves a new guild with this id. Its owner, an existing account, is its first member. */
export const guild = (id: string, ownerId: UserId) =>
  Effect.tap(Saved.guild({ id: GuildId.make(id), ownerId }), (made) => member(made.id, ownerId))

/** Saves the account as a member of the guild, with these roles. */
export const member = (guildId: GuildId, userId: UserId, ...roleIds: ReadonlyArray<RoleId>) =>
  Saved.membership({ guildId, userId, roleIds, joinedAt: 0 })

/** Saves a new role with this id. */
export const role = (id: string, guildId: GuildId, permissions: bigint) =>
  Saved.role({ id: RoleId.make(id), guildId, permissions: Permissions.make(permissions) })

/** Saves a new channel with this id. */
export const channel = (id: string, guildId: GuildId) => Saved.channel({ id: ChannelId.make(id), guildId })

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
