import { describe, expect, it } from "@effect/vitest"
import { Option } from "effect"
import { UserId } from "../../src/account/User.ts"
import { Guild, GuildId } from "../../src/guild/Guild.ts"
import { canManageGuild, ofMember } from "../../src/guild/GuildPermissions.ts"
import { Membership } from "../../src/guild/Membership.ts"
import { Role, RoleId } from "../../src/guild/Role.ts"
import { KNOWN, NONE, Permissions } from "../../src/shared-kernel/Permissions.ts"

const GUILD = GuildId.make("1000")
const OTHER_GUILD = GuildId.make("2000")
const OWNER = UserId.make("1")
const MEMBER = UserId.make("2")

const guild = Guild.make({ id: GUILD, name: "Gardeners", ownerId: OWNER })

const member = (userId: UserId, ...roleIds: ReadonlyArray<string>) =>
  Membership.make({ guildId: GUILD, userId, roleIds: roleIds.map((id) => RoleId.make(id)), joinedAt: 0 })

const role = (id: string, permissions: bigint, guildId: GuildId = GUILD) =>
  Role.make({ id: RoleId.make(id), guildId, name: `role ${id}`, permissions: Permissions.make(permissions) })

const everyone = (permissions: bigint) => role(GUILD, permissions)

describe("a member's permissions", () => {
  it("are none without roles", () => {
    expect(ofMember(member(MEMBER), [])).toBe(NONE)
  })

  it("are those of all the member's roles together", () => {
    const roles = [role("10", KNOWN.KICK_MEMBERS), role("11", KNOWN.BAN_MEMBERS)]
    expect(ofMember(member(MEMBER, "10", "11"), roles)).toBe(KNOWN.KICK_MEMBERS | KNOWN.BAN_MEMBERS)
  })

  it("do not come from roles of other members", () => {
    expect(ofMember(member(MEMBER, "10"), [role("10", KNOWN.SPEAK), role("11", KNOWN.BAN_MEMBERS)])).toBe(KNOWN.SPEAK)
  })

  it("include those of @everyone, which nobody needs to be given", () => {
    const roles = [everyone(KNOWN.VIEW_CHANNEL), role("10", KNOWN.SPEAK)]
    expect(ofMember(member(MEMBER, "10"), roles)).toBe(KNOWN.VIEW_CHANNEL | KNOWN.SPEAK)
  })

  it("do not come from a role of another guild, though the member's list names it", () => {
    expect(ofMember(member(MEMBER, "10"), [role("10", KNOWN.ADMINISTRATOR, OTHER_GUILD)])).toBe(NONE)
  })

  it("do not come from the @everyone role of another guild", () => {
    expect(ofMember(member(MEMBER, OTHER_GUILD), [role(OTHER_GUILD, KNOWN.ADMINISTRATOR, OTHER_GUILD)])).toBe(NONE)
  })
})

describe("a guild", () => {
  it("may be managed by its owner, roles or not", () => {
    expect(canManageGuild(guild, member(OWNER), [])).toBe(true)
  })

  it("may not be managed by a member without a right to it", () => {
    expect(canManageGuild(guild, member(MEMBER, "10"), [everyone(0n), role("10", KNOWN.MANAGE_ROLES)])).toBe(false)
  })

  it("may be managed by a holder of MANAGE_GUILD", () => {
    expect(canManageGuild(guild, member(MEMBER, "10"), [role("10", KNOWN.MANAGE_GUILD)])).toBe(true)
  })

  it("may be managed by a holder of ADMINISTRATOR", () => {
    expect(canManageGuild(guild, member(MEMBER, "10"), [role("10", KNOWN.ADMINISTRATOR)])).toBe(true)
  })

  it("may be managed by every member when @everyone may", () => {
    expect(canManageGuild(guild, member(MEMBER), [everyone(KNOWN.MANAGE_GUILD)])).toBe(true)
  })

  it("is not managed through a managed role that the member does not hold", () => {
    const bots = Role.make({
      ...role("10", KNOWN.MANAGE_GUILD),
      managedBy: Option.some(UserId.make("3"))
    })
    expect(canManageGuild(guild, member(MEMBER), [bots])).toBe(false)
  })
})
