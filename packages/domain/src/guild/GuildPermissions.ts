import { Schema } from "effect"
import { UserId } from "../account/User.ts"
import * as Permissions from "../shared-kernel/Permissions.ts"
import { type Guild, GuildId } from "./Guild.ts"
import type { Membership } from "./Membership.ts"
import type { Role } from "./Role.ts"

/** The caller is a member of the guild but lacks a permission. */
export class MissingGuildPermissions extends Schema.TaggedError<MissingGuildPermissions>()("MissingGuildPermissions", {
  guildId: GuildId,
  userId: UserId
}) {}

const holds = (member: Membership, role: Role): boolean =>
  role.guildId === member.guildId && (role.id === String(member.guildId) || member.roleIds.includes(role.id))

/** Returns the permissions of all roles of the member and of the `@everyone` role, whose id is the guild's id. */
export const ofMember = (member: Membership, roles: ReadonlyArray<Role>): Permissions.Permissions =>
  roles
    .filter((role) => holds(member, role))
    .reduce((all, role) => Permissions.union(all, role.permissions), Permissions.NONE)

/**
 * Returns whether the member may manage the guild: the owner may, and so may members with `MANAGE_GUILD` or
 * `ADMINISTRATOR` (API gaps, Guild permissions).
 */
export const canManageGuild = (guild: Guild, member: Membership, roles: ReadonlyArray<Role>): boolean =>
  guild.ownerId === member.userId || Permissions.grantsManageGuild(ofMember(member, roles))
