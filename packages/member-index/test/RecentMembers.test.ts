import { GuildId } from "@community-messaging/domain/guild/Guild"
import type { GuildMember } from "@community-messaging/domain/guild/GuildMember"
import { RoleId } from "@community-messaging/domain/guild/Role"
import { bytesOf, MAX_RECENT_BYTES, RecentMembers } from "@community-messaging/member-index/RecentMembers"
import { describe, expect, it } from "@effect/vitest"
import { Array as Arrays, Option } from "effect"
import { member } from "./Member.ts"

const [one, other] = [GuildId.make("1"), GuildId.make("2")]

const membersOf = (guildId: GuildId, size: number) =>
  Arrays.makeBy(size, (number) => member(guildId, number + 1, { username: "ada" }))

/** The number of members without roles that have room. */
const ROOM = membersOf(one, 1).reduce((room, ada) => Math.floor(room / bytesOf(ada)), MAX_RECENT_BYTES)

describe("the members of recent pages", () => {
  it("have room for thousands, also of several guilds and with members that are added again", () => {
    const recent = new RecentMembers()
    recent.add(one, membersOf(one, ROOM - 1), 0)
    recent.add(one, membersOf(one, 1), 0)
    recent.add(other, membersOf(other, 1), 0)
    const full = [recent.of(one, 0).size, recent.of(other, 0).size]
    recent.add(other, membersOf(other, 2), 0)
    expect([ROOM > 10_000, full, recent.of(one, 0).size, recent.of(other, 0).size]).toEqual([true, [ROOM - 1, 1], 0, 2])
  })

  it("make room for others when they are removed", () => {
    const recent = new RecentMembers()
    const members = membersOf(one, ROOM)
    recent.add(one, members, 0)
    for (const { userId } of members.slice(0, 2)) recent.remove(one, userId)
    recent.add(other, membersOf(other, 2), 0)
    expect([recent.of(one, 0).size, recent.of(other, 0).size]).toEqual([ROOM - 2, 2])
  })

  it("are fewer if they have long names", () => {
    const recent = new RecentMembers()
    const nickname = Option.some("x".repeat(MAX_RECENT_BYTES / 4))
    recent.add(one, [{ ...member(one, 1), nickname }], 0)
    recent.add(other, [{ ...member(other, 1), nickname }], 0)
    expect([recent.of(one, 0).size, recent.of(other, 0).size]).toEqual([0, 1])
  })

  it("are fewer if they have many roles, and none if a page alone is too large", () => {
    const recent = new RecentMembers()
    const withRoles = (guildId: GuildId, roles: number): GuildMember => ({
      ...member(guildId, 1),
      roleIds: Arrays.makeBy(roles, (number) => RoleId.make(String(number)))
    })
    recent.add(one, [withRoles(one, MAX_RECENT_BYTES / 96)], 0)
    recent.add(other, [withRoles(other, MAX_RECENT_BYTES / 96)], 0)
    const second = [recent.of(one, 0).size, recent.of(other, 0).size]
    recent.add(one, [withRoles(one, MAX_RECENT_BYTES / 48)], 0)
    expect([second, recent.of(one, 0).size, recent.of(other, 0).size]).toEqual([[0, 1], 0, 0])
  })

  it("are as old as the first of them", () => {
    const recent = new RecentMembers()
    recent.add(one, membersOf(one, 1), 0)
    recent.add(other, membersOf(other, 1), 9999)
    expect([recent.of(other, 9999).size, recent.of(other, 10_000).size]).toEqual([1, 0])
  })
})
