import * as Faults from "@community-messaging/domain-contract/world/Faults"
import * as Time from "@community-messaging/domain-contract/world/Time"
import { failureOf } from "@community-messaging/domain-contract/world/WholeState"
import { START } from "@community-messaging/domain-contract/world/World"
import { create, UserId } from "@community-messaging/domain/account/User"
import { UserRepository } from "@community-messaging/domain/account/UserRepository"
import { GuildId } from "@community-messaging/domain/guild/Guild"
import { GuildRepository } from "@community-messaging/domain/guild/GuildRepository"
import { MembershipRepository } from "@community-messaging/domain/guild/MembershipRepository"
import { ConsentRepository } from "@community-messaging/domain/oauth2/ConsentRepository"
import { KNOWN, Permissions } from "@community-messaging/domain/shared-kernel/Permissions"
import { describe, expect } from "@effect/vitest"
import { Effect, Option } from "effect"
import { account, bot, events, guild, member, role } from "../Stored.ts"
import { it } from "../World.ts"
import { application, CLIENT, grant } from "./Consenting.ts"

const ANN = UserId.make("2")
const BOB = UserId.make("3")
const BOT = UserId.make("8")
const GUILD = GuildId.make("1000")

const consent = Effect.flatMap(ConsentRepository, (consents) => consents.find(ANN, CLIENT))

const rolesThere = Effect.flatMap(GuildRepository, (guilds) => guilds.roles(GUILD))

const botThere = Effect.flatMap(MembershipRepository, (memberships) => memberships.find(GUILD, BOT))

/** Ann, her guild, a bot account and its application. */
const community = Effect.gen(function*() {
  yield* account(ANN)
  yield* guild(GUILD, ANN)
  yield* bot(BOT)
  return yield* application({ botUserId: Option.some(BOT) })
})

const addBot = (permissions: bigint, userId = ANN) =>
  grant(userId, {
    scope: "bot",
    guildId: Option.some(GUILD),
    permissions: Option.some(Permissions.make(permissions))
  })

describe("granting consent to add a bot", () => {
  it("lets the bot join with a managed role of the requested permissions, without unknown ones", function*() {
    yield* community
    const { redirectTo } = yield* addBot(KNOWN.SPEAK | (1n << 60n))
    const [{ id } = { id: "no role" }] = yield* rolesThere
    expect(yield* rolesThere).toEqual([
      { id, guildId: GUILD, name: "Planner", permissions: KNOWN.SPEAK, managedBy: Option.some(BOT) }
    ])
    expect(yield* botThere).toEqual(Option.some({
      guildId: GUILD,
      userId: BOT,
      nickname: Option.none(),
      roleIds: [id],
      joinedAt: START.epochMillis / 1000,
      joinSourceType: Option.some(3),
      sourceInviteCode: Option.none(),
      inviterId: Option.some(ANN)
    }))
    expect(redirectTo).toMatch(/&guild_id=1000&permissions=2097152$/)
    expect(Option.getOrUndefined(yield* consent)).toMatchObject({
      scopes: ["bot"],
      permissions: KNOWN.SPEAK,
      guildId: Option.some(GUILD)
    })
    expect(yield* events).toEqual([
      { _tag: "member.joined", version: 1, guildId: GUILD, userId: BOT },
      {
        _tag: "consent.granted",
        version: 1,
        userId: ANN,
        applicationId: CLIENT,
        scopes: ["bot"],
        guildId: Option.some(GUILD),
        permissions: Option.some(KNOWN.SPEAK)
      }
    ])
  })

  it("for a bot that is a member already replaces the permissions of its role and adds nothing", function*() {
    yield* community
    yield* addBot(KNOWN.SPEAK)
    const [roleBefore] = yield* rolesThere
    const botBefore = yield* botThere
    yield* Time.adjust("1 hour")
    yield* addBot(KNOWN.CONNECT)
    expect(yield* rolesThere).toEqual([{ ...roleBefore, permissions: KNOWN.CONNECT }])
    expect(yield* botThere).toEqual(botBefore)
    expect((yield* events).map(({ _tag }) => _tag)).toEqual(["member.joined", "consent.granted", "consent.granted"])
  })

  it("for a member without the role adds the role and keeps its others", function*() {
    yield* community
    const other = yield* role("10", GUILD, 0n)
    yield* member(GUILD, BOT, other.id)
    yield* addBot(KNOWN.SPEAK)
    const managed = (yield* rolesThere).find(({ managedBy }) => Option.isSome(managedBy))
    expect(Option.getOrUndefined(yield* botThere)).toMatchObject({ roleIds: [other.id, managed?.id], joinedAt: 0 })
    expect((yield* events)[0]).toEqual({ _tag: "member.updated", version: 1, guildId: GUILD, userId: BOT })
  })

  it("needs the permission to manage the guild; without it, nothing changes", function*() {
    yield* community
    yield* account(BOB)
    yield* member(GUILD, BOB)
    expect(yield* failureOf(addBot(0n, BOB))).toMatchObject({ _tag: "MissingGuildPermissions", userId: BOB })
  })

  it("gives the bot permissions that the member has, and no others, also if the bot is a member already", function*() {
    yield* community
    yield* account(BOB)
    const { id } = yield* role("20", GUILD, KNOWN.MANAGE_GUILD | KNOWN.SPEAK)
    yield* member(GUILD, BOB, id)
    const addByBob = (permissions: bigint) => addBot(permissions, BOB)
    yield* addByBob(KNOWN.MANAGE_GUILD | KNOWN.SPEAK)
    expect(yield* failureOf(addByBob(KNOWN.SPEAK | KNOWN.BAN_MEMBERS))).toMatchObject({
      _tag: "MissingGuildPermissions",
      guildId: GUILD,
      userId: BOB
    })
  })

  it("fails for a guild that the user is not in, and for one that does not exist", function*() {
    yield* community
    yield* account(BOB)
    const elsewhere = GuildId.make("404")
    const outside = addBot(0n, BOB)
    const nowhere = grant(ANN, { scope: "bot", guildId: Option.some(elsewhere) })
    expect(yield* Effect.flip(outside)).toMatchObject({ _tag: "UnknownGuild", guildId: GUILD })
    expect(yield* Effect.flip(nowhere)).toMatchObject({ _tag: "UnknownGuild", guildId: elsewhere })
  })

  it("does not restore a bot whose account was deleted", function*() {
    yield* community
    const deleted = { ...create({ id: BOT, username: "deleted-user-8", bot: true }), deletedAt: Option.some(START) }
    yield* Effect.flatMap(UserRepository, (users) => users.save(deleted))
    expect(yield* failureOf(addBot(KNOWN.SPEAK))).toMatchObject({ _tag: "NotABotApplication", clientId: CLIENT })
  })

  it("adds neither role nor member when the event log fails", function*() {
    yield* community
    expect(yield* failureOf(Faults.whileFailing("events.append")(addBot(KNOWN.SPEAK)))).toMatchObject({
      _tag: "StorageError"
    })
  })
})
