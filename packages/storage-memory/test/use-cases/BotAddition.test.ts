import { create, UserId } from "@community-messaging/domain/account/User"
import { UserRepository } from "@community-messaging/domain/account/UserRepository"
import { GuildId } from "@community-messaging/domain/guild/Guild"
import { GuildRepository } from "@community-messaging/domain/guild/GuildRepository"
import { MembershipRepository } from "@community-messaging/domain/guild/MembershipRepository"
import { RoleId } from "@community-messaging/domain/guild/Role"
import { ConsentRepository } from "@community-messaging/domain/oauth2/ConsentRepository"
import { KNOWN, Permissions } from "@community-messaging/domain/shared-kernel/Permissions"
import { describe, expect, it } from "@effect/vitest"
import { Effect, Option, TestClock } from "effect"
import { application, CLIENT, grant } from "./Consenting.ts"
import { failure } from "./Failure.ts"
import { account, bot, events, everything, guild, member, role } from "./Stored.ts"
import { START, whileEventLogFails, world } from "./World.ts"

const ANN = UserId.make("2")
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

const addBot = (permissions: bigint) =>
  grant(ANN, {
    scope: "bot",
    guildId: Option.some(GUILD),
    permissions: Option.some(Permissions.make(permissions))
  })

describe("granting consent to add a bot", () => {
  it.effect("makes a managed role with the permissions asked for, unknown ones masked off", () =>
    Effect.gen(function*() {
      yield* community
      yield* addBot(KNOWN.SPEAK | (1n << 60n))
      const roles = yield* rolesThere
      expect(roles).toEqual([{
        id: roles[0]?.id,
        guildId: GUILD,
        name: "Planner",
        permissions: KNOWN.SPEAK,
        managedBy: Option.some(BOT)
      }])
    }).pipe(Effect.provide(world)))

  it.effect("lets the bot join with that role, by bot consent", () =>
    Effect.gen(function*() {
      yield* community
      yield* addBot(KNOWN.SPEAK)
      expect(yield* botThere).toEqual(Option.some({
        guildId: GUILD,
        userId: BOT,
        nickname: Option.none(),
        roleIds: (yield* rolesThere).map(({ id }) => id),
        joinedAt: START.epochMillis / 1000,
        joinSourceType: Option.some(3),
        sourceInviteCode: Option.none(),
        inviterId: Option.some(ANN)
      }))
    }).pipe(Effect.provide(world)))

  it.effect("tells the user's browser and the consent which guild and permissions", () =>
    Effect.gen(function*() {
      yield* community
      const { redirectTo } = yield* addBot(KNOWN.SPEAK)
      expect(redirectTo).toMatch(/&guild_id=1000&permissions=2097152$/)
      expect(Option.getOrUndefined(yield* consent)).toMatchObject({
        scopes: ["bot"],
        permissions: KNOWN.SPEAK,
        guildId: Option.some(GUILD)
      })
    }).pipe(Effect.provide(world)))

  it.effect("is told in two events: the bot joined, consent was granted", () =>
    Effect.gen(function*() {
      yield* community
      yield* addBot(KNOWN.SPEAK)
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
    }).pipe(Effect.provide(world)))

  it.effect("that is there already replaces the permissions of its role and doubles nothing", () =>
    Effect.gen(function*() {
      yield* community
      yield* addBot(KNOWN.SPEAK)
      const [roleBefore] = yield* rolesThere
      const botBefore = yield* botThere
      yield* TestClock.adjust("1 hour")
      yield* addBot(KNOWN.CONNECT)
      expect(yield* rolesThere).toEqual([{ ...roleBefore, permissions: KNOWN.CONNECT }])
      expect(yield* botThere).toEqual(botBefore)
      expect((yield* events).map(({ _tag }) => _tag)).toEqual(["member.joined", "consent.granted", "consent.granted"])
    }).pipe(Effect.provide(world)))

  it.effect("that is there without the role gives it the role and leaves it its others", () =>
    Effect.gen(function*() {
      yield* community
      const other = yield* role("10", GUILD, 0n)
      yield* member(GUILD, BOT, other.id)
      yield* addBot(KNOWN.SPEAK)
      const managed = (yield* rolesThere).find(({ managedBy }) => Option.isSome(managedBy))
      expect(Option.getOrUndefined(yield* botThere)).toMatchObject({ roleIds: [other.id, managed?.id], joinedAt: 0 })
      expect((yield* events)[0]).toEqual({ _tag: "member.updated", version: 1, guildId: GUILD, userId: BOT })
    }).pipe(Effect.provide(world)))

  it.effect("uses the role again that a bot left behind", () =>
    Effect.gen(function*() {
      yield* community
      yield* addBot(KNOWN.SPEAK)
      const [left] = yield* rolesThere
      yield* Effect.flatMap(MembershipRepository, (memberships) => memberships.remove(GUILD, BOT))
      yield* addBot(KNOWN.SPEAK)
      expect(yield* rolesThere).toEqual([left])
      expect(Option.getOrUndefined(yield* botThere)).toMatchObject({ roleIds: [left?.id] })
    }).pipe(Effect.provide(world)))

  it.effect("needs the right to manage the guild, and without it nothing changes", () =>
    Effect.gen(function*() {
      yield* community
      yield* account("3")
      yield* member(GUILD, UserId.make("3"))
      const before = yield* everything
      const refused = grant(UserId.make("3"), { scope: "bot", guildId: Option.some(GUILD) })
      expect(yield* failure(refused)).toMatchObject({ _tag: "MissingGuildPermissions", userId: "3" })
      expect(yield* everything).toEqual(before)
    }).pipe(Effect.provide(world)))

  it.effect("knows no guild that the user is not in, nor one that is not there", () =>
    Effect.gen(function*() {
      yield* community
      yield* account("3")
      const elsewhere = GuildId.make("404")
      const outside = grant(UserId.make("3"), { scope: "bot", guildId: Option.some(GUILD) })
      const nowhere = grant(ANN, { scope: "bot", guildId: Option.some(elsewhere) })
      expect(yield* failure(outside)).toMatchObject({ _tag: "UnknownGuild", guildId: GUILD })
      expect(yield* failure(nowhere)).toMatchObject({ _tag: "UnknownGuild", guildId: elsewhere })
    }).pipe(Effect.provide(world)))

  it.effect("does not bring back a bot whose account was deleted", () =>
    Effect.gen(function*() {
      yield* community
      const deleted = { ...create({ id: BOT, username: "deleted-user-8", bot: true }), deletedAt: Option.some(START) }
      yield* Effect.flatMap(UserRepository, (users) => users.save(deleted))
      const before = yield* everything
      expect(yield* failure(addBot(KNOWN.SPEAK))).toMatchObject({ _tag: "NotABotApplication", clientId: CLIENT })
      expect(yield* everything).toEqual(before)
    }).pipe(Effect.provide(world)))

  it.effect("does not touch the role of another bot", () =>
    Effect.gen(function*() {
      yield* community
      const otherBot = yield* bot("9")
      const others = {
        id: RoleId.make("10"),
        guildId: GUILD,
        name: "Other",
        permissions: Permissions.make(KNOWN.STREAM),
        managedBy: Option.some(otherBot.id)
      }
      yield* Effect.flatMap(GuildRepository, (guilds) => guilds.saveRole(others))
      yield* addBot(KNOWN.SPEAK)
      expect(yield* rolesThere).toContainEqual(others)
    }).pipe(Effect.provide(world)))

  it.effect("leaves neither role nor member behind when the event log fails", () =>
    Effect.gen(function*() {
      yield* community
      const before = yield* everything
      expect(yield* failure(whileEventLogFails(addBot(KNOWN.SPEAK)))).toMatchObject({ _tag: "StorageError" })
      expect(yield* everything).toEqual(before)
    }).pipe(Effect.provide(world)))
})
