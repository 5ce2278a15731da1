import { Either, Option, Schema } from "effect"
import { UserId } from "../account/User.ts"
import * as Permissions from "../shared-kernel/Permissions.ts"
import { type Guild, GuildId, UnknownGuild } from "./Guild.ts"
import type { Membership } from "./Membership.ts"
import type { Role } from "./Role.ts"

/** The caller is a member of the guild but lacks a permission. */
export class MissingGuildPermissions extends Schema.TaggedError<MissingGuildPermissions>()("MissingGuildPermissions", {
  guildId: GuildId,
  userId: UserId
}) {
  override get message(): string {
    return `A permission in guild ${this.guildId} is missing.`
  }
}

/** A guild with a member and roles: the input for the member's permissions. */
export interface MemberRoles {
  readonly guild: Guild
  readonly member: Pick<Membership, "guildId" | "userId" | "roleIds">
  readonly roles: ReadonlyArray<Pick<Role, "id" | "guildId" | "permissions">>
}

/** Returns whether the role is the guild's `@everyone` role, whose id is the guild's id. All members have it. */
export const isEveryone = (roleId: Role["id"], guildId: GuildId): boolean => roleId === String(guildId)

const holds = (member: MemberRoles["member"], role: MemberRoles["roles"][number]): boolean =>
  role.guildId === member.guildId && (isEveryone(role.id, member.guildId) || member.roleIds.includes(role.id))

/**
 * Returns the member's permissions: those of all its roles and of the `@everyone` role. The owner and members with
 * `ADMINISTRATOR` have all permissions (API gaps, Guild permissions).
 */
export const ofMember = ({ guild, member, roles }: MemberRoles): Permissions.Permissions => {
  if (guild.ownerId === member.userId) return Permissions.ALL
  const permissions = roles
    .filter((role) => holds(member, role))
    .reduce((all, role) => Permissions.union(all, role.permissions), Permissions.NONE)
  return Permissions.includes(permissions, Permissions.ADMINISTRATOR) ? Permissions.ALL : permissions
}

/** Returns the guild if the roles of the member give it all of the permissions. */
export const permit = (
  member: Option.Option<MemberRoles>,
  userId: UserId,
  guildId: GuildId,
  permissions: Permissions.Permissions
): Either.Either<Guild, UnknownGuild | MissingGuildPermissions> => {
  if (Option.isNone(member)) return Either.left(new UnknownGuild({ guildId }))
  return Permissions.includes(ofMember(member.value), permissions)
    ? Either.right(member.value.guild)
    : Either.left(new MissingGuildPermissions({ guildId, userId }))
}
