import { UserId } from "@community-messaging/domain/account/User"
import { GuildId } from "@community-messaging/domain/guild/Guild"
import { RoleId } from "@community-messaging/domain/guild/Role"
import { MemberDirectory } from "@community-messaging/domain/member-search/MemberDirectory"
import { MemberQuery } from "@community-messaging/domain/member-search/MemberQuery"
import { MemberSearch } from "@community-messaging/domain/member-search/MemberSearch"
import { describe, expect } from "@effect/vitest"
import { Effect, Layer, Option } from "effect"
import { account, guild, member } from "../Stored.ts"
import { it } from "../World.ts"

const OWNER = UserId.make("1")
const ANN = UserId.make("2")
const GUILD = GuildId.make("1000")

const search = (callerId: UserId, query: Parameters<typeof MemberQuery.make>[0] = {}) =>
  Effect.flatMap(MemberSearch, (members) => members.search(callerId, GUILD, MemberQuery.make(query)))

const found = (query: Parameters<typeof MemberQuery.make>[0] = {}) =>
  Effect.map(search(OWNER, query), ({ members }) => members.map(({ userId }) => userId))

const community = Effect.gen(function*() {
  yield* account(OWNER, { username: "olga" })
  yield* guild(GUILD, OWNER)
  return yield* account(ANN, { username: "ann" })
})

describe("searching the members of a guild", () => {
  it("returns them with the names of their accounts", function*() {
    yield* account(OWNER, { username: "olga" })
    yield* guild(GUILD, OWNER)
    yield* account(ANN, { username: "ann", globalName: Option.some("Ann Smith"), bot: true })
    const membership = yield* member(GUILD, ANN)
    expect(yield* search(OWNER, { text: "smith" })).toEqual({
      members: [{
        ...membership,
        username: "ann",
        discriminator: 0,
        globalName: Option.some("Ann Smith"),
        isBot: true
      }],
      total: 1,
      indexing: false
    })
  })

  it("finds all members by the role that all have", function*() {
    yield* community
    yield* member(GUILD, ANN, RoleId.make("5"))
    const everyone = RoleId.make(GUILD)
    expect(yield* found({ roleIds: [everyone] })).toEqual(yield* found())
    expect(yield* found({ roleIds: [everyone, RoleId.make("5")] })).toEqual([ANN])
  })

  it("fails for a member who may not manage the guild", function*() {
    yield* community
    yield* member(GUILD, ANN)
    expect(yield* Effect.flip(search(ANN))).toMatchObject({
      _tag: "MissingGuildPermissions",
      guildId: GUILD,
      userId: ANN
    })
  })

  it("fails for a guild that the caller is not in", function*() {
    yield* community
    expect(yield* Effect.flip(search(ANN))).toMatchObject({ _tag: "UnknownGuild", guildId: GUILD })
  })

  it("ends without a search if the caller has no permission", function*() {
    yield* community
    yield* member(GUILD, ANN)
    const searched: Array<UserId> = []
    const directory = Layer.effect(
      MemberDirectory,
      Effect.map(MemberDirectory, ({ begin }) => ({
        begin: (callerId, guildId) =>
          Effect.map(begin(callerId, guildId), ({ caller, search: searchMembers }) => ({
            caller,
            search: (query) =>
              Effect.suspend(() => {
                searched.push(callerId)
                return searchMembers(query)
              })
          }))
      }))
    )
    const searching = MemberSearch.layer.pipe(Layer.provide(directory))
    yield* Effect.flip(Effect.provide(search(ANN), searching))
    yield* Effect.provide(search(OWNER), searching)
    expect(searched).toEqual([OWNER])
  })
})
