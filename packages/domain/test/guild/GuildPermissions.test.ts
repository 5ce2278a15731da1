import { describe, expect, it } from "@effect/vitest"
import { UserId } from "../../src/account/User.ts"
import { Guild, GuildId } from "../../src/guild/Guild.ts"
import { type MemberRoles, ofMember } from "../../src/guild/GuildPermissions.ts"
import { Membership } from "../../src/guild/Membership.ts"
import { Role, RoleId } from "../../src/guild/Role.ts"
import { ALL, KNOWN, NONE, Permissions } from "../../src/shared-kernel/Permissions.ts"

const GUILD = GuildId.make("1000")
const OTHER_GUILD = GuildId.make("2000")
const OWNER = UserId.make("1")
const MEMBER = UserId.make("2")

const guild = Guild.make({ id: GUILD, name: "Gardeners", ownerId: OWNER })

const member = (userId: UserId, ...roleIds: ReadonlyArray<string>) =>
  Membership.make({ guildId: GUILD, userId, roleIds: roleIds.map((id) => RoleId.make(id)), joinedAt: 0 })

const role = (id: string, permissions: bigint, guildId: GuildId = GUILD) =>
  Role.make({ id: RoleId.make(id), guildId, name: `role ${id}`, permissions: Permissions.make(permissions) })

const permissionsOf = (of: MemberRoles["member"], roles: MemberRoles["roles"]): Permissions =>
  ofMember({ guild, member: of, roles })

const everyone = (permissions: bigint) => role(GUILD, permissions)

describe("a member's permissions", () => {
  it("are those of all roles of the member together, and not those of other roles", () => {
    const roles = [role("10", KNOWN.KICK_MEMBERS), role("11", KNOWN.BAN_MEMBERS), role("12", KNOWN.MANAGE_GUILD)]
    expect(permissionsOf(member(MEMBER, "10", "11"), roles)).toBe(KNOWN.KICK_MEMBERS | KNOWN.BAN_MEMBERS)
  })

  it("include those of @everyone, which is not in the member's list", () => {
    const roles = [everyone(KNOWN.VIEW_CHANNEL), role("10", KNOWN.SPEAK)]
    expect(permissionsOf(member(MEMBER, "10"), roles)).toBe(KNOWN.VIEW_CHANNEL | KNOWN.SPEAK)
  })

  it("do not come from a role of another guild, although the member's list has it", () => {
    expect(permissionsOf(member(MEMBER, "10"), [role("10", KNOWN.ADMINISTRATOR, OTHER_GUILD)])).toBe(NONE)
  })

  it("do not come from the @everyone role of another guild", () => {
    expect(permissionsOf(member(MEMBER, OTHER_GUILD), [role(OTHER_GUILD, KNOWN.ADMINISTRATOR, OTHER_GUILD)])).toBe(
      NONE
    )
  })

  it("are all for the owner, with or without roles", () => {
    expect(permissionsOf(member(OWNER), [])).toBe(ALL)
  })

  it("are all for an ADMINISTRATOR", () => {
    expect(permissionsOf(member(MEMBER, "10"), [role("10", KNOWN.ADMINISTRATOR)])).toBe(ALL)
  })

  it("are not all with every other permission", () => {
    const others = ALL & ~KNOWN.ADMINISTRATOR
    expect(permissionsOf(member(MEMBER, "10"), [role("10", others)])).toBe(others)
  })
})
