import { UserId } from "@community-messaging/domain/account/User"
import { GuildId } from "@community-messaging/domain/guild/Guild"
import { GuildRepository } from "@community-messaging/domain/guild/GuildRepository"
import { Membership } from "@community-messaging/domain/guild/Membership"
import { MembershipRepository } from "@community-messaging/domain/guild/MembershipRepository"
import { RoleId } from "@community-messaging/domain/guild/Role"
import { expect } from "@effect/vitest"
import { Effect, Option } from "effect"
import * as FreshIds from "./FreshIds.ts"
import { portContract } from "./OwnPorts.ts"
import { ORDERED_PAGES, pages, SHUFFLED } from "./Paging.ts"
import { plainData } from "./PlainData.ts"
import * as Samples from "./Samples.ts"
import * as Saved from "./Saved.ts"

const plain = plainData(Membership)

/** A stored membership, of a new guild and a new account unless they are given. */
const joined = (changes: Partial<Membership> = {}) =>
  Effect.gen(function*() {
    const guildId = changes.guildId ?? (yield* Saved.guild()).id
    const userId = changes.userId ?? (yield* Saved.user()).id
    const membership = Samples.membership({ ...changes, guildId, userId })
    yield* (yield* MembershipRepository).save(membership)
    return membership
  })

/** The contract of `MembershipRepository`. Search is in `MemberDirectoryContract`. */
export const membershipRepositoryContract = portContract<MembershipRepository>("MembershipRepository", ({ it }) => {
  it("several memberships of a guild are found at once, each once, without others", function*() {
    const memberships = yield* MembershipRepository
    const first = yield* joined()
    const second = yield* joined({ guildId: first.guildId })
    const elsewhere = yield* joined()
    yield* joined({ guildId: first.guildId })
    const wanted = [second.userId, elsewhere.userId, first.userId, UserId.make(FreshIds.snowflake())]
    const found = yield* memberships.findAll(first.guildId, [...wanted, first.userId])
    expect(found.length).toBe(2)
    expect(new Map(found.map((one) => [one.userId, plain(one)]))).toEqual(
      new Map([first, second].map((one) => [one.userId, plain(one)]))
    )
  })

  it("a member's roles are found with the guild: also @everyone, but not those of others or of another guild", function*() {
    const guilds = yield* GuildRepository
    const memberships = yield* MembershipRepository
    const { id: other } = yield* Saved.guild()
    const guild = yield* Saved.guild()
    const everyone = Samples.role({ id: RoleId.make(guild.id), guildId: guild.id })
    const role = (id: string, guildId = guild.id) => Samples.role({ id: RoleId.make(id), guildId })
    const held = [everyone, role("55"), role("7")]
    // The id of a role that the member does not have is part of the id of another.
    yield* Effect.forEach([...held, role("5"), role("9", other)], guilds.saveRole)
    const roleIds = ["55", "7", "9"].map((id) => RoleId.make(id))
    const { userId } = yield* joined({ guildId: guild.id, roleIds })
    const found = Option.getOrThrow(yield* memberships.findWithRoles(guild.id, userId))
    expect(found.guild).toEqual(guild)
    expect(found.member).toMatchObject({ guildId: guild.id, userId, roleIds })
    expect(new Map(found.roles.map(({ id, permissions }) => [id, permissions]))).toEqual(
      new Map(held.map(({ id, permissions }) => [id, permissions]))
    )
  })

  it("a member without roles and an owner have no roles", function*() {
    const guilds = yield* GuildRepository
    const memberships = yield* MembershipRepository
    const { id: ownerId } = yield* Saved.user()
    const guild = yield* Saved.guild({ ownerId })
    const role = Samples.role({ guildId: guild.id })
    yield* guilds.saveRole(role)
    yield* Saved.membership({ guildId: guild.id, userId: ownerId, roleIds: [role.id] })
    const { userId } = yield* joined({ guildId: guild.id })
    const found = yield* Effect.forEach([ownerId, userId], (id) => memberships.findWithRoles(guild.id, id))
    expect(found.map(Option.map(({ guild: of, roles }) => [of, roles]))).toEqual([
      Option.some([guild, []]),
      Option.some([guild, []])
    ])
  })

  it("an account that is not a member has no roles in the guild", function*() {
    const memberships = yield* MembershipRepository
    const guild = yield* Saved.guild()
    const { guildId, userId } = yield* joined()
    expect([
      yield* memberships.findWithRoles(guild.id, userId),
      yield* memberships.findWithRoles(guildId, (yield* Saved.user()).id)
    ]).toEqual([Option.none(), Option.none()])
  })

  it("a membership that ended is neither found nor listed, and others are; to end it again is no error", function*() {
    const memberships = yield* MembershipRepository
    const { guildId, userId } = yield* joined()
    const other = yield* joined({ guildId })
    const elsewhere = yield* joined({ userId })
    yield* memberships.remove(guildId, userId)
    yield* memberships.remove(guildId, userId)
    expect([
      yield* memberships.find(guildId, userId),
      (yield* memberships.list({ guildId, after: Option.none(), limit: 10 })).map(plain),
      (yield* memberships.ofUser(userId)).map(plain)
    ]).toEqual([Option.none(), [plain(other)], [plain(elsewhere)]])
  })

  it("all memberships of an account end at once, and others do not; the guilds are in the order of their ids", function*() {
    const memberships = yield* MembershipRepository
    const { id: userId } = yield* Saved.user()
    yield* Effect.forEach(
      SHUFFLED,
      (id) => Effect.flatMap(Saved.guild({ id: GuildId.make(id) }), (guild) => joined({ userId, guildId: guild.id }))
    )
    const guildId = GuildId.make(SHUFFLED[0])
    const other = yield* joined({ guildId })
    expect([
      yield* memberships.removeAllOfUser(userId),
      yield* memberships.removeAllOfUser(userId),
      (yield* memberships.list({ guildId, after: Option.none(), limit: 10 })).map(plain)
    ]).toEqual([ORDERED_PAGES.flat(), [], [plain(other)]])
  })

  it("a guild's memberships are listed in the order of the user ids by number, page by page", function*() {
    const memberships = yield* MembershipRepository
    const { id: guildId } = yield* Saved.guild()
    yield* joined()
    yield* Effect.forEach(
      SHUFFLED,
      (id) => Effect.flatMap(Saved.user({ id: UserId.make(id) }), (user) => joined({ guildId, userId: user.id }))
    )
    expect(
      yield* pages({
        page: (page) => memberships.list({ guildId, ...page }),
        key: ({ userId }: Membership) => userId,
        limit: 3
      })
    ).toEqual(ORDERED_PAGES)
  })

  it("an account's memberships are in the order of the guild ids by number", function*() {
    const memberships = yield* MembershipRepository
    const { id: userId } = yield* Saved.user()
    yield* joined()
    yield* Effect.forEach(
      SHUFFLED,
      (id) => Effect.flatMap(Saved.guild({ id: GuildId.make(id) }), (guild) => joined({ userId, guildId: guild.id }))
    )
    expect((yield* memberships.ofUser(userId)).map(({ guildId }) => guildId)).toEqual(ORDERED_PAGES.flat())
  })
})
