import { everything, failureOf } from "@community-messaging/domain-contract/world/WholeState"
import { START } from "@community-messaging/domain-contract/world/World"
import { UserId } from "@community-messaging/domain/account/User"
import { GuildId } from "@community-messaging/domain/guild/Guild"
import { GuildRepository } from "@community-messaging/domain/guild/GuildRepository"
import { Guilds } from "@community-messaging/domain/guild/Guilds"
import { MembershipRepository } from "@community-messaging/domain/guild/MembershipRepository"
import { MANAGE_GUILD } from "@community-messaging/domain/shared-kernel/Permissions"
import { describe, expect } from "@effect/vitest"
import { Effect, Option } from "effect"
import { account, events, guild } from "../Stored.ts"
import { it } from "../World.ts"

const ANN = UserId.make("7")
const GUILD = GuildId.make("20")

const create = Effect.flatMap(Guilds, (guilds) => guilds.create({ name: "Looms", ownerId: ANN }))

describe("a new guild", () => {
  it("has its owner as its first member, with an event", function*() {
    yield* account(ANN)
    const made = yield* create
    const memberships = yield* MembershipRepository
    expect(yield* (yield* GuildRepository).find(made.id)).toMatchObject(Option.some({ name: "Looms", ownerId: ANN }))
    expect(yield* memberships.find(made.id, ANN)).toEqual(Option.some({
      guildId: made.id,
      userId: ANN,
      nickname: Option.none(),
      roleIds: [],
      joinedAt: START.epochMillis / 1000,
      joinSourceType: Option.some(0),
      sourceInviteCode: Option.none(),
      inviterId: Option.none()
    }))
    expect(yield* events).toMatchObject([{ _tag: "member.joined", guildId: made.id, userId: ANN }])
  })

  it.each([["does not exist", undefined], ["was deleted", { deletedAt: Option.some(START) }]] as const)(
    "is not created if the account of its owner %s",
    function*([, stored]) {
      if (stored !== undefined) yield* account(ANN, stored)
      const before = yield* everything
      expect(yield* failureOf(create)).toMatchObject({ _tag: "UnknownUser", userId: ANN })
      expect(yield* everything).toEqual(before)
    }
  )
})

describe("a channel and a role", () => {
  it("are created in their guild; no bot manages the role", function*() {
    yield* guild(GUILD, (yield* account(ANN)).id)
    const guilds = yield* Guilds
    const channel = yield* guilds.createChannel({ guildId: GUILD, name: "builds" })
    const role = yield* guilds.createRole({ guildId: GUILD, name: "helper", permissions: MANAGE_GUILD })
    const repository = yield* GuildRepository
    expect(yield* repository.channels(GUILD)).toEqual([channel])
    expect(yield* repository.roles(GUILD)).toEqual([role])
    expect([channel.name, role.name, role.permissions, role.managedBy]).toEqual([
      "builds",
      "helper",
      MANAGE_GUILD,
      Option.none()
    ])
  })

  it("are not created in a guild that does not exist", function*() {
    const guilds = yield* Guilds
    const failures = [
      yield* failureOf(guilds.createChannel({ guildId: GUILD, name: "builds" })),
      yield* failureOf(guilds.createRole({ guildId: GUILD, name: "helper", permissions: MANAGE_GUILD }))
    ]
    expect(failures).toMatchObject([{ _tag: "UnknownGuild", guildId: GUILD }, { _tag: "UnknownGuild", guildId: GUILD }])
  })
})
