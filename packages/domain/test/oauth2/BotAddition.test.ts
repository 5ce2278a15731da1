import * as Faults from "@community-messaging/domain-contract/world/Faults"
import * as Time from "@community-messaging/domain-contract/world/Time"
import { failureOf } from "@community-messaging/domain-contract/world/WholeState"
import { START } from "@community-messaging/domain-contract/world/World"
import { create, UserId } from "@community-messaging/domain/account/User"
import { UserRepository } from "@community-messaging/domain/account/UserRepository"
import { GuildId } from "@community-messaging/domain/guild/Guild"
import { GuildRepository } from "@community-messaging/domain/guild/GuildRepository"
import { MembershipRepository } from "@community-messaging/domain/guild/MembershipRepository"
import { RoleId } from "@community-messaging/domain/guild/Role"
import { ConsentRepository } from "@community-messaging/domain/oauth2/ConsentRepository"
import { KNOWN, Permissions } from "@community-messaging/domain/shared-kernel/Permissions"
import { describe, expect, it } from "@effect/vitest"
import { Effect, Option } from "effect"
import { account, bot, events, guild, member, role } from "../Stored.ts"
import { inWorld } from "../World.ts"
import { application, CLIENT, grant } from "./Consenting.ts"

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
  it.effect("makes a managed role with the requested permissions, without unknown ones", () =>
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
    }).pipe(inWorld))

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
    }).pipe(inWorld))

  it.effect("has guild and permissions in the redirect and in the consent", () =>
    Effect.gen(function*() {
      yield* community
      const { redirectTo } = yield* addBot(KNOWN.SPEAK)
      expect(redirectTo).toMatch(/&guild_id=1000&permissions=2097152$/)
      expect(Option.getOrUndefined(yield* consent)).toMatchObject({
        scopes: ["bot"],
        permissions: KNOWN.SPEAK,
        guildId: Option.some(GUILD)
      })
    }).pipe(inWorld))

  it.effect("appends two events: the bot joined, consent was granted", () =>
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
    }).pipe(inWorld))

  it.effect("for a bot that is a member already replaces the permissions of its role and adds nothing", () =>
    Effect.gen(function*() {
      yield* community
      yield* addBot(KNOWN.SPEAK)
      const [roleBefore] = yield* rolesThere
      const botBefore = yield* botThere
      yield* Time.adjust("1 hour")
      yield* addBot(KNOWN.CONNECT)
      expect(yield* rolesThere).toEqual([{ ...roleBefore, permissions: KNOWN.CONNECT }])
      expect(yield* botThere).toEqual(botBefore)
      expect((yield* events).map(({ _tag }) => _tag)).toEqual(["member.joined", "consent.granted", "consent.granted"])
    }).pipe(inWorld))

  it.effect("for a member without the role adds the role and keeps its others", () =>
    Effect.gen(function*() {
      yield* community
      const other = yield* role("10", GUILD, 0n)
      yield* member(GUILD, BOT, other.id)
      yield* addBot(KNOWN.SPEAK)
      const managed = (yield* rolesThere).find(({ managedBy }) => Option.isSome(managedBy))
      expect(Option.getOrUndefined(yield* botThere)).toMatchObject({ roleIds: [other.id, managed?.id], joinedAt: 0 })
      expect((yield* events)[0]).toEqual({ _tag: "member.updated", version: 1, guildId: GUILD, userId: BOT })
    }).pipe(inWorld))

  it.effect("reuses the role of a bot that left", () =>
    Effect.gen(function*() {
      yield* community
      yield* addBot(KNOWN.SPEAK)
      const [left] = yield* rolesThere
      yield* Effect.flatMap(MembershipRepository, (memberships) => memberships.remove(GUILD, BOT))
      yield* addBot(KNOWN.SPEAK)
      expect(yield* rolesThere).toEqual([left])
      expect(Option.getOrUndefined(yield* botThere)).toMatchObject({ roleIds: [left?.id] })
    }).pipe(inWorld))

  it.effect("needs the permission to manage the guild; without it, nothing changes", () =>
    Effect.gen(function*() {
      yield* community
      yield* account("3")
      yield* member(GUILD, UserId.make("3"))
      const refused = grant(UserId.make("3"), { scope: "bot", guildId: Option.some(GUILD) })
      expect(yield* failureOf(refused)).toMatchObject({ _tag: "MissingGuildPermissions", userId: "3" })
    }).pipe(inWorld))

  describe("the addition of a bot by a member who may manage the guild", () => {
    const BOB = UserId.make("3")

    /** Bob has a role with these permissions. */
    const bobHolds = (permissions: bigint) =>
      Effect.gen(function*() {
        yield* community
        yield* account(BOB)
        const { id } = yield* role("20", GUILD, permissions)
        yield* member(GUILD, BOB, id)
      })

    const addByBob = (permissions: Option.Option<bigint>) =>
      grant(BOB, {
        scope: "bot",
        guildId: Option.some(GUILD),
        permissions: Option.map(permissions, (bits) => Permissions.make(bits))
      })

    const roleOfBot = Effect.map(rolesThere, (roles) => roles.find(({ managedBy }) => Option.isSome(managedBy)))

    it.effect("gives the bot the permissions of the member", () =>
      Effect.gen(function*() {
        yield* bobHolds(KNOWN.MANAGE_GUILD | KNOWN.SPEAK)
        yield* addByBob(Option.some(KNOWN.MANAGE_GUILD | KNOWN.SPEAK))
        expect(yield* roleOfBot).toMatchObject({ permissions: KNOWN.MANAGE_GUILD | KNOWN.SPEAK })
      }).pipe(inWorld))

    it.effect.each([["BAN_MEMBERS", KNOWN.BAN_MEMBERS], ["ADMINISTRATOR", KNOWN.ADMINISTRATOR]] as const)(
      "is rejected with %s that the member does not have, and nothing changes",
      ([, right]) =>
        Effect.gen(function*() {
          yield* bobHolds(KNOWN.MANAGE_GUILD | KNOWN.SPEAK)
          expect(yield* failureOf(addByBob(Option.some(KNOWN.SPEAK | right)))).toMatchObject({
            _tag: "MissingGuildPermissions",
            guildId: GUILD,
            userId: BOB
          })
        }).pipe(inWorld)
    )

    it.effect("fails in the same way for a bot that is a member already", () =>
      Effect.gen(function*() {
        yield* bobHolds(KNOWN.MANAGE_GUILD)
        yield* addBot(KNOWN.SPEAK)
        expect(yield* failureOf(addByBob(Option.some(KNOWN.BAN_MEMBERS)))).toMatchObject({
          _tag: "MissingGuildPermissions"
        })
      }).pipe(inWorld))

    it.effect("does not leave the bot permissions that only another member could give", () =>
      Effect.gen(function*() {
        yield* bobHolds(KNOWN.MANAGE_GUILD | KNOWN.SPEAK)
        yield* addBot(KNOWN.BAN_MEMBERS)
        yield* addByBob(Option.some(KNOWN.SPEAK))
        expect(yield* roleOfBot).toMatchObject({ permissions: KNOWN.SPEAK })
      }).pipe(inWorld))

    it.effect("gives the bot none if none are requested", () =>
      Effect.gen(function*() {
        yield* bobHolds(KNOWN.MANAGE_GUILD)
        yield* addBot(KNOWN.BAN_MEMBERS)
        yield* addByBob(Option.none())
        expect(yield* roleOfBot).toMatchObject({ permissions: 0n })
      }).pipe(inWorld))

    it.effect("does not need unknown permissions, which are removed first", () =>
      Effect.gen(function*() {
        yield* bobHolds(KNOWN.MANAGE_GUILD)
        yield* addByBob(Option.some(KNOWN.MANAGE_GUILD | (1n << 60n)))
        expect(yield* roleOfBot).toMatchObject({ permissions: KNOWN.MANAGE_GUILD })
      }).pipe(inWorld))

    it.effect("includes the permissions of every member", () =>
      Effect.gen(function*() {
        yield* bobHolds(KNOWN.MANAGE_GUILD)
        yield* role(GUILD, GUILD, KNOWN.SEND_MESSAGES)
        yield* addByBob(Option.some(KNOWN.SEND_MESSAGES))
        expect(yield* roleOfBot).toMatchObject({ permissions: KNOWN.SEND_MESSAGES })
      }).pipe(inWorld))

    it.effect("gives any permission if the member is an administrator", () =>
      Effect.gen(function*() {
        yield* bobHolds(KNOWN.ADMINISTRATOR)
        yield* addByBob(Option.some(KNOWN.ADMINISTRATOR | KNOWN.BAN_MEMBERS))
        expect(yield* roleOfBot).toMatchObject({ permissions: KNOWN.ADMINISTRATOR | KNOWN.BAN_MEMBERS })
      }).pipe(inWorld))
  })

  it.effect("fails for a guild that the user is not in, and for one that does not exist", () =>
    Effect.gen(function*() {
      yield* community
      yield* account("3")
      const elsewhere = GuildId.make("404")
      const outside = grant(UserId.make("3"), { scope: "bot", guildId: Option.some(GUILD) })
      const nowhere = grant(ANN, { scope: "bot", guildId: Option.some(elsewhere) })
      expect(yield* Effect.flip(outside)).toMatchObject({ _tag: "UnknownGuild", guildId: GUILD })
      expect(yield* Effect.flip(nowhere)).toMatchObject({ _tag: "UnknownGuild", guildId: elsewhere })
    }).pipe(inWorld))

  it.effect("does not restore a bot whose account was deleted", () =>
    Effect.gen(function*() {
      yield* community
      const deleted = { ...create({ id: BOT, username: "deleted-user-8", bot: true }), deletedAt: Option.some(START) }
      yield* Effect.flatMap(UserRepository, (users) => users.save(deleted))
      expect(yield* failureOf(addBot(KNOWN.SPEAK))).toMatchObject({ _tag: "NotABotApplication", clientId: CLIENT })
    }).pipe(inWorld))

  it.effect("does not change the role of another bot", () =>
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
    }).pipe(inWorld))

  it.effect("adds neither role nor member when the event log fails", () =>
    Effect.gen(function*() {
      yield* community
      expect(yield* failureOf(Faults.whileFailing("events.append")(addBot(KNOWN.SPEAK)))).toMatchObject({
        _tag: "StorageError"
      })
    }).pipe(inWorld))
})
