import { UserId } from "@community-messaging/domain/account/User"
import { GuildId } from "@community-messaging/domain/guild/Guild"
import { GuildAccess } from "@community-messaging/domain/guild/GuildAccess"
import { MembershipRepository } from "@community-messaging/domain/guild/MembershipRepository"
import { KNOWN, MANAGE_GUILD } from "@community-messaging/domain/shared-kernel/Permissions"
import { describe, expect, it } from "@effect/vitest"
import { Effect } from "effect"
import { account, guild, member, role } from "../Stored.ts"
import { inWorld } from "../World.ts"

const OWNER = UserId.make("1")
const ANN = UserId.make("2")
const GUILD = GuildId.make("1000")
const OTHER_GUILD = GuildId.make("2000")

const requireManageGuild = (userId: UserId, guildId: GuildId) =>
  Effect.flatMap(GuildAccess, (access) => access.require(userId, guildId, MANAGE_GUILD))

/** A guild with its owner, and Ann, who is in no guild yet. */
const community = Effect.gen(function*() {
  yield* account(OWNER)
  yield* account(ANN)
  return yield* guild(GUILD, OWNER)
})

describe("managing a guild", () => {
  it.effect("is allowed for its owner", () =>
    Effect.gen(function*() {
      const made = yield* community
      expect(yield* requireManageGuild(OWNER, GUILD)).toEqual(made)
    }).pipe(inWorld))

  it.effect.each(["MANAGE_GUILD", "ADMINISTRATOR"] as const)(
    "is allowed for a member with a role that has %s",
    (right) =>
      Effect.gen(function*() {
        const made = yield* community
        const { id } = yield* role("10", GUILD, KNOWN[right])
        yield* member(GUILD, ANN, id)
        expect(yield* requireManageGuild(ANN, GUILD)).toEqual(made)
      }).pipe(inWorld)
  )

  it.effect("is allowed for all members if @everyone has the permission", () =>
    Effect.gen(function*() {
      const made = yield* community
      yield* role(GUILD, GUILD, KNOWN.MANAGE_GUILD)
      yield* member(GUILD, ANN)
      expect(yield* requireManageGuild(ANN, GUILD)).toEqual(made)
    }).pipe(inWorld))

  it.effect("is not allowed for a member without the permission", () =>
    Effect.gen(function*() {
      yield* community
      const { id } = yield* role("10", GUILD, KNOWN.MANAGE_ROLES)
      yield* role("11", GUILD, KNOWN.MANAGE_GUILD)
      yield* member(GUILD, ANN, id)
      expect(yield* Effect.flip(requireManageGuild(ANN, GUILD))).toMatchObject({
        _tag: "MissingGuildPermissions",
        guildId: GUILD,
        userId: ANN
      })
    }).pipe(inWorld))

  it.effect("is not allowed for the owner of another guild", () =>
    Effect.gen(function*() {
      yield* community
      yield* guild(OTHER_GUILD, ANN)
      yield* member(GUILD, ANN)
      expect(yield* Effect.flip(requireManageGuild(ANN, GUILD))).toMatchObject({ _tag: "MissingGuildPermissions" })
    }).pipe(inWorld))

  it.effect("fails for others as if the guild did not exist", () =>
    Effect.gen(function*() {
      yield* community
      const outside = yield* Effect.flip(requireManageGuild(ANN, GUILD))
      const nowhere = yield* Effect.flip(requireManageGuild(ANN, OTHER_GUILD))
      expect(outside).toMatchObject({ _tag: "UnknownGuild", guildId: GUILD })
      expect(nowhere).toMatchObject({ _tag: "UnknownGuild", guildId: OTHER_GUILD })
    }).pipe(inWorld))

  it.effect("ends with the membership", () =>
    Effect.gen(function*() {
      yield* community
      const { id } = yield* role("10", GUILD, KNOWN.ADMINISTRATOR)
      yield* member(GUILD, ANN, id)
      yield* Effect.flatMap(MembershipRepository, (memberships) => memberships.remove(GUILD, ANN))
      expect(yield* Effect.flip(requireManageGuild(ANN, GUILD))).toMatchObject({ _tag: "UnknownGuild" })
    }).pipe(inWorld))
})
