import * as Users from "@community-messaging/domain/account/User"
import { UserRepository } from "@community-messaging/domain/account/UserRepository"
import { GuildId } from "@community-messaging/domain/guild/Guild"
import type { GuildMember } from "@community-messaging/domain/guild/GuildMember"
import { GuildRepository } from "@community-messaging/domain/guild/GuildRepository"
import type { Membership } from "@community-messaging/domain/guild/Membership"
import { MembershipRepository } from "@community-messaging/domain/guild/MembershipRepository"
import { RoleId } from "@community-messaging/domain/guild/Role"
import { MemberDirectory } from "@community-messaging/domain/member-search/MemberDirectory"
import * as MemberMatch from "@community-messaging/domain/member-search/MemberMatch"
import { MemberPage, MemberQuery } from "@community-messaging/domain/member-search/MemberQuery"
import { SnowflakeEpoch } from "@community-messaging/domain/shared-kernel/Snowflake"
import { UnitOfWork } from "@community-messaging/domain/shared-kernel/UnitOfWork"
import { expect, layer } from "@effect/vitest"
import { Deferred, Effect, FastCheck, Fiber, Option } from "effect"
import { RUNS } from "./Arbitraries.ts"
import { atomically, letRun, paused } from "./Atomically.ts"
import * as FreshIds from "./FreshIds.ts"
import { portContract } from "./OwnPorts.ts"
import { plainData } from "./PlainData.ts"
import * as Samples from "./Samples.ts"
import * as Saved from "./Saved.ts"
import { members, query, searchMembers } from "./SearchSamples.ts"

const plain = plainData(MemberPage)

const search = (guildId: GuildId, wanted: MemberQuery) => Effect.map(searchMembers(guildId, wanted), plain)

/** Saves the account and the membership of the member. */
const join = (member: GuildMember) =>
  Effect.gen(function*() {
    const { discriminator, globalName, isBot, username, ...membership } = member
    const account = Users.create({ id: member.userId, username })
    yield* (yield* UserRepository).save({ ...account, discriminator, globalName, bot: isBot })
    yield* (yield* MembershipRepository).save(membership)
  })

/** A new guild with these members, saved in one unit of work. */
const guildOf = (generated: ReadonlyArray<GuildMember>) =>
  atomically(Effect.gen(function*() {
    const { id: guildId } = yield* Saved.guild()
    const joined = generated.map((member) => ({ ...member, guildId }))
    yield* Effect.forEach(joined, join, { discard: true })
    return { guildId, joined }
  }))

/** The usernames that a query for all members finds, and the total. */
const everybody = (guildId: GuildId) =>
  Effect.map(search(guildId, MemberQuery.make({ sortOrder: "asc" })), ({ members: found, total }) => ({
    usernames: found.map(({ username }) => username),
    total
  }))

/** A new guild that a sample account has joined. */
const guildWithOne = Effect.gen(function*() {
  const user = yield* Saved.user({ username: "before" })
  const { id: guildId } = yield* Saved.guild()
  const membership = Samples.membership({ guildId, userId: user.id })
  yield* (yield* MembershipRepository).save(membership)
  return { guildId, membership, user }
})

interface SingleChange {
  readonly what: string
  readonly account?: Partial<Users.User>
  readonly membership?: Partial<Membership>
  readonly wanted: Partial<MemberQuery>
}

/** Changes of one searched field, each with a query that finds the member only after it. */
const SINGLE_CHANGES: ReadonlyArray<SingleChange> = [
  { what: "the username", account: { username: "after" }, wanted: { text: "after" } },
  { what: "the global name", account: { globalName: Option.some("after") }, wanted: { text: "after" } },
  { what: "the bot flag", account: { bot: true }, wanted: { isBot: Option.some(true) } },
  { what: "the nickname", membership: { nickname: Option.some("after") }, wanted: { text: "after" } },
  { what: "the roles", membership: { roleIds: [RoleId.make("17")] }, wanted: { roleIds: [RoleId.make("17")] } },
  { what: "the time of joining", membership: { joinedAt: 17 }, wanted: { joinedAtLte: Option.some(17) } },
  { what: "the join source", membership: { joinSourceType: Option.some(2) }, wanted: { joinSourceTypes: [2] } },
  { what: "the invite code", membership: { sourceInviteCode: Option.some("x") }, wanted: { sourceInviteCodes: ["x"] } }
]

interface ShownChange {
  readonly what: string
  readonly account?: Partial<Users.User>
  readonly membership?: Partial<Membership>
  readonly shown: Partial<GuildMember>
}

const INVITER = Users.UserId.make("17")

/** Changes that no query notices: normalised names stay the same. */
const SHOWN_CHANGES: ReadonlyArray<ShownChange> = [
  { what: "capital letters of the username", account: { username: "Before" }, shown: { username: "Before" } },
  {
    what: "capital letters of the global name",
    account: { globalName: Option.some("Ada") },
    shown: { globalName: Option.some("Ada") }
  },
  {
    what: "capital letters of the nickname",
    membership: { nickname: Option.some("Countess") },
    shown: { nickname: Option.some("Countess") }
  },
  {
    what: "the discriminator",
    account: { discriminator: Users.Discriminator.make(17) },
    shown: { discriminator: Users.Discriminator.make(17) }
  },
  {
    what: "the inviter",
    membership: { inviterId: Option.some(INVITER) },
    shown: { inviterId: Option.some(INVITER) }
  }
]

/** The contract of `MemberDirectory`: the results of `MemberMatch.search` over the committed members. */
export const memberDirectoryContract = portContract<
  GuildRepository | MemberDirectory | MembershipRepository | UnitOfWork | UserRepository
>("MemberDirectory", ({ it, storage }) => {
  layer(storage)((it) => {
    it.effect.prop(
      "a search has the results of the specification",
      { generated: members, queries: FastCheck.array(query, { minLength: 12, maxLength: 12 }) },
      ({ generated, queries }) =>
        Effect.gen(function*() {
          const epoch = yield* SnowflakeEpoch
          const { guildId, joined } = yield* guildOf(generated)
          for (const wanted of queries) {
            expect(yield* search(guildId, wanted)).toEqual(plain(MemberMatch.search(joined, wanted, epoch)))
          }
        }),
      RUNS
    )
  })

  it("a guild without members, or that does not exist, has an empty page and is not being indexed", function*() {
    yield* guildWithOne
    for (const id of [(yield* Saved.guild()).id, GuildId.make(FreshIds.snowflake())]) {
      expect(yield* search(id, MemberQuery.make({}))).toEqual({ members: [], total: 0, indexing: false })
    }
  })

  it("every search begins with the present roles of its caller", function*() {
    const { guildId, membership } = yield* guildWithOne
    const { begin } = yield* MemberDirectory
    const memberships = yield* MembershipRepository
    const role = Samples.role({ guildId })
    yield* (yield* GuildRepository).saveRole(role)
    const callerOfSearch = Effect.flatMap(
      begin(membership.userId, guildId),
      ({ caller, search: searchGuild }) => Effect.as(searchGuild(MemberQuery.make({})), caller)
    )
    for (const roleIds of [[], [], [role.id], [role.id], []]) {
      yield* memberships.save({ ...membership, roleIds })
      const caller = yield* callerOfSearch
      expect(caller).toEqual(yield* memberships.findWithRoles(guildId, membership.userId))
      expect(Option.map(caller, ({ roles }) => roles.map(({ id }) => id))).toEqual(Option.some(roleIds))
    }
    yield* memberships.remove(guildId, membership.userId)
    expect(yield* callerOfSearch).toEqual(Option.none())
  })

  it.each(SINGLE_CHANGES)(
    "the very next search includes a change of only $what",
    function*({ account, membership, wanted }) {
      const before = yield* guildWithOne
      const { guildId } = before
      const found = [(yield* search(guildId, MemberQuery.make(wanted))).total]
      if (account !== undefined) yield* (yield* UserRepository).save({ ...before.user, ...account })
      if (membership !== undefined) {
        yield* (yield* MembershipRepository).save({ ...before.membership, ...membership })
      }
      found.push((yield* search(guildId, MemberQuery.make(wanted))).total)
      expect(found).toEqual([0, 1])
    }
  )

  it.each(SHOWN_CHANGES)(
    "the very next search shows a change of only $what",
    function*({ account, membership, shown }) {
      const before = yield* guildWithOne
      const users = yield* UserRepository
      const memberships = yield* MembershipRepository
      const user = { ...before.user, globalName: Option.some("ada") }
      const member = { ...before.membership, nickname: Option.some("countess") }
      yield* users.save(user)
      yield* memberships.save(member)
      // Storages may keep what they found before.
      const pages = yield* Effect.replicateEffect(searchMembers(before.guildId, MemberQuery.make({})), 3)
      if (account !== undefined) yield* users.save({ ...user, ...account })
      if (membership !== undefined) yield* memberships.save({ ...member, ...membership })
      const expected = pages.map((page) =>
        plain({ ...page, members: page.members.map((found) => ({ ...found, ...shown })) })
      )
      expect(yield* Effect.replicateEffect(search(before.guildId, MemberQuery.make({})), 3)).toEqual(expected)
    }
  )

  it("a search beside a unit of work never finds what is rolled back later", function*() {
    const { guildId, user } = yield* guildWithOne
    const memberships = yield* MembershipRepository
    const { release } = yield* paused(memberships.remove(guildId, user.id), Effect.fail("no"))
    const searcher = yield* Effect.fork(everybody(guildId))
    yield* letRun(searcher)
    yield* release
    expect([yield* Fiber.join(searcher), yield* everybody(guildId)])
      .toEqual([{ usernames: ["before"], total: 1 }, { usernames: ["before"], total: 1 }])
  })

  it("a search in a snapshot finds what is committed after the snapshot began", function*() {
    const { guildId, user } = yield* guildWithOne
    const users = yield* UserRepository
    // Storages may keep what they found before.
    yield* Effect.replicateEffect(everybody(guildId), 2)
    const begun = yield* Deferred.make<void>()
    const writer = yield* Effect.fork(
      Effect.zipRight(Deferred.await(begun), users.save({ ...user, username: "after" }))
    )
    const { found, hasWritten } = yield* (yield* UnitOfWork).snapshot(Effect.gen(function*() {
      yield* users.find(user.id)
      yield* Deferred.succeed(begun, undefined)
      // A storage may let the writer of the same process wait until the snapshot ends.
      yield* letRun(writer)
      return { hasWritten: Option.isSome(yield* Fiber.poll(writer)), found: yield* everybody(guildId) }
    }))
    yield* Fiber.join(writer)
    expect(found).toEqual({ usernames: [hasWritten ? "after" : "before"], total: 1 })
  })
})
