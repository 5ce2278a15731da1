import { UserId } from "@community-messaging/domain/account/User"
import { ChannelId } from "@community-messaging/domain/guild/Channel"
import { GuildId } from "@community-messaging/domain/guild/Guild"
import { GuildRepository } from "@community-messaging/domain/guild/GuildRepository"
import { Role, RoleId } from "@community-messaging/domain/guild/Role"
import { expect } from "@effect/vitest"
import { Effect, Option } from "effect"
import * as FreshIds from "./FreshIds.ts"
import { portContract } from "./OwnPorts.ts"
import { ORDERED_PAGES, pages, SHUFFLED } from "./Paging.ts"
import { plainData } from "./PlainData.ts"
import * as Samples from "./Samples.ts"
import * as Saved from "./Saved.ts"

const plainRole = plainData(Role)

const ORDERED = ORDERED_PAGES.flat()

/** The contract of `GuildRepository`. */
export const guildRepositoryContract = portContract<GuildRepository>("GuildRepository", ({ it }) => {
  it("guilds are listed in the order of their ids by number, page by page", function*() {
    const guilds = yield* GuildRepository
    yield* Effect.forEach(SHUFFLED, (id) => Saved.guild({ id: GuildId.make(id) }))
    expect(yield* pages({ page: guilds.list, key: ({ id }) => id, limit: 3 })).toEqual(ORDERED_PAGES)
  })

  it("a guild's roles are in the order of their ids by number, without those of another guild", function*() {
    const guilds = yield* GuildRepository
    const { id: guildId } = yield* Saved.guild()
    yield* guilds.saveRole(Samples.role({ guildId: (yield* Saved.guild()).id }))
    yield* Effect.forEach(SHUFFLED, (id) => guilds.saveRole(Samples.role({ id: RoleId.make(id), guildId })))
    expect((yield* guilds.roles(guildId)).map(({ id }) => id)).toEqual(ORDERED)
    expect(yield* guilds.roles(GuildId.make(FreshIds.snowflake()))).toEqual([])
  })

  it("a guild's channels are in the order of their ids by number, without those of another guild", function*() {
    const guilds = yield* GuildRepository
    const { id: guildId } = yield* Saved.guild()
    yield* Saved.channel()
    yield* Effect.forEach(SHUFFLED, (id) => Saved.channel({ id: ChannelId.make(id), guildId }))
    expect((yield* guilds.channels(guildId)).map(({ id }) => id)).toEqual(ORDERED)
    expect(yield* guilds.channels(GuildId.make(FreshIds.snowflake()))).toEqual([])
  })

  it("a bot's managed role is found by guild and bot", function*() {
    const guilds = yield* GuildRepository
    const bot = UserId.make(FreshIds.snowflake())
    const { id: guildId } = yield* Saved.guild()
    const role = Samples.role({ id: RoleId.make("500"), guildId, managedBy: Option.some(bot) })
    const anotherBot = Option.some(UserId.make(FreshIds.snowflake()))
    yield* guilds.saveRole(Samples.role({ id: RoleId.make("499"), guildId, managedBy: anotherBot }))
    yield* guilds.saveRole(role)
    yield* guilds.saveRole(Samples.role({ id: RoleId.make("501"), guildId, managedBy: anotherBot }))
    yield* guilds.saveRole(Samples.role({ id: RoleId.make("498"), guildId }))
    expect(Option.map(yield* guilds.findManagedRole(guildId, bot), plainRole)).toEqual(Option.some(plainRole(role)))
    expect(yield* guilds.findManagedRole((yield* Saved.guild()).id, bot)).toEqual(Option.none())
  })
})
