import { everything, failureOf } from "@community-messaging/domain-contract/world/WholeState"
import { START } from "@community-messaging/domain-contract/world/World"
import { UserId } from "@community-messaging/domain/account/User"
import { GuildId } from "@community-messaging/domain/guild/Guild"
import { MembershipRepository } from "@community-messaging/domain/guild/MembershipRepository"
import { Memberships } from "@community-messaging/domain/guild/Memberships"
import { RoleId } from "@community-messaging/domain/guild/Role"
import { describe, expect } from "@effect/vitest"
import { Effect, Option } from "effect"
import { account, events, guild, member, role } from "../Stored.ts"
import { it } from "../World.ts"

const ANN = UserId.make("7")
const BOB = UserId.make("8")
const GUILD = GuildId.make("20")
const HELPER = RoleId.make("30")
const GUEST = RoleId.make("31")
const NOBODY = UserId.make("9")

type Changes = Parameters<typeof Memberships.Service.save>[2]

/** A guild of Ann with two roles, and Bob's account. */
const community = Effect.gen(function*() {
  yield* guild(GUILD, (yield* account(ANN)).id)
  yield* account(BOB)
  yield* role(HELPER, GUILD, 0n)
  yield* role(GUEST, GUILD, 0n)
})

const save = (changes: Changes, { guildId = GUILD, userId = BOB } = {}) =>
  Effect.flatMap(Memberships, (memberships) => memberships.save(guildId, userId, changes))

const remove = (userId: UserId) => Effect.flatMap(Memberships, (memberships) => memberships.remove(GUILD, userId))

const stored = (userId: UserId) =>
  Effect.flatMap(MembershipRepository, (memberships) => memberships.find(GUILD, userId))

describe("saving a membership", () => {
  it("adds the account, with the moment and with an event", function*() {
    yield* community
    const membership = yield* save({ nickname: Option.some("Bobby"), roleIds: [HELPER, HELPER] })
    expect(membership).toMatchObject({
      nickname: Option.some("Bobby"),
      roleIds: [HELPER],
      joinSourceType: Option.some(4)
    })
    expect(membership.joinedAt).toBe(START.epochMillis / 1000)
    expect(yield* stored(BOB)).toEqual(Option.some(membership))
    expect(yield* events).toMatchObject([{ _tag: "member.joined", guildId: GUILD, userId: BOB }])
  })

  it("changes only the values that are given", function*() {
    yield* community
    const added = yield* save({ nickname: Option.some("Bobby"), roleIds: [HELPER] })
    expect(yield* save({ nickname: Option.none() })).toEqual({ ...added, nickname: Option.none() })
    expect(yield* save({ roleIds: [] })).toEqual({ ...added, nickname: Option.none(), roleIds: [] })
    expect((yield* events).map(({ _tag }) => _tag)).toEqual(["member.joined", "member.updated", "member.updated"])
  })

  it.each<[string, Changes]>([
    ["no value is given", {}],
    ["all values are as before", { nickname: Option.some("Bobby"), roleIds: [HELPER, GUEST] }],
    ["the roles are in another order", { roleIds: [GUEST, HELPER, GUEST] }]
  ])("changes nothing, and appends no event, if %s", function*([, changes]) {
    yield* community
    const added = yield* save({ nickname: Option.some("Bobby"), roleIds: [HELPER, GUEST] })
    const before = yield* everything
    expect(yield* save(changes)).toEqual(added)
    expect(yield* everything).toEqual(before)
  })

  it.each(
    [
      ["a role of no guild", { roleIds: [HELPER, RoleId.make("32")] }, {}, { _tag: "UnknownRole", roleId: "32" }],
      ["a guild that does not exist", {}, { guildId: GuildId.make("21") }, { _tag: "UnknownGuild", guildId: "21" }],
      ["an account that does not exist", {}, { userId: NOBODY }, { _tag: "UnknownUser", userId: NOBODY }]
    ] as const
  )("fails, and changes nothing, for %s", function*([, changes, place, expected]) {
    yield* community
    const before = yield* everything
    expect(yield* failureOf(save(changes, place))).toMatchObject(expected)
    expect(yield* everything).toEqual(before)
  })

  it("fails for a role of another guild, and for an account that was deleted", function*() {
    yield* community
    yield* guild("21", ANN)
    yield* role("32", GuildId.make("21"), 0n)
    yield* account("9", { deletedAt: Option.some(START) })
    expect(yield* failureOf(save({ roleIds: [RoleId.make("32")] }))).toMatchObject({ _tag: "UnknownRole" })
    expect(yield* failureOf(save({}, { userId: NOBODY }))).toMatchObject({ _tag: "UnknownUser" })
  })
})

describe("removing a membership", () => {
  it("removes it with an event, once", function*() {
    yield* community
    yield* member(GUILD, BOB)
    yield* remove(BOB)
    yield* remove(BOB)
    expect(yield* stored(BOB)).toEqual(Option.none())
    expect(yield* events).toMatchObject([{ _tag: "member.left", guildId: GUILD, userId: BOB }])
  })

  it("fails, and changes nothing, for the owner of the guild", function*() {
    yield* community
    const before = yield* everything
    expect(yield* failureOf(remove(ANN))).toMatchObject({ _tag: "OwnerNotRemovable", guildId: GUILD, userId: ANN })
    expect(yield* everything).toEqual(before)
  })
})
