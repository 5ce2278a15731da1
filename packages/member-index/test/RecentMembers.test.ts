import { GuildId } from "@community-messaging/domain/guild/Guild"
import { make, MAX_RECENT_MEMBERS } from "@community-messaging/member-index/RecentMembers"
import { describe, expect, it } from "@effect/vitest"
import { Array as Arrays } from "effect"
import { member } from "./Member.ts"

const [one, other] = [GuildId.make("1"), GuildId.make("2")]

const membersOf = (guildId: GuildId, size: number) => Arrays.makeBy(size, (number) => member(guildId, number + 1))

describe("the members of recent pages", () => {
  it("are at most ten thousand, also of several guilds and with members that are added again", () => {
    const recent = make()
    recent.add(one, membersOf(one, MAX_RECENT_MEMBERS - 1), 0)
    recent.add(one, membersOf(one, 1), 0)
    recent.add(other, membersOf(other, 1), 0)
    const full = [recent.of(one, 0).size, recent.of(other, 0).size]
    recent.add(other, membersOf(other, 2), 0)
    expect([full, recent.of(one, 0).size, recent.of(other, 0).size]).toEqual([[MAX_RECENT_MEMBERS - 1, 1], 0, 2])
  })

  it("make room for others when they are removed", () => {
    const recent = make()
    const members = membersOf(one, MAX_RECENT_MEMBERS)
    recent.add(one, members, 0)
    for (const { userId } of members.slice(0, 2)) recent.remove(one, userId)
    recent.add(other, membersOf(other, 2), 0)
    expect([recent.of(one, 0).size, recent.of(other, 0).size]).toEqual([MAX_RECENT_MEMBERS - 2, 2])
  })
})
