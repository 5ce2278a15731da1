import { UserId } from "@community-messaging/domain/account/User"
import { GuildId } from "@community-messaging/domain/guild/Guild"
import { GuildAccess } from "@community-messaging/domain/guild/GuildAccess"
import { MemberDirectory } from "@community-messaging/domain/member-search/MemberDirectory"
import { type MemberPage, MemberQuery } from "@community-messaging/domain/member-search/MemberQuery"
import { MemberSearch } from "@community-messaging/domain/member-search/MemberSearch"
import { describe, expect, it } from "@effect/vitest"
import { Deferred, Effect, Layer, Option } from "effect"
import { account, guild, member } from "../Stored.ts"
import { inWorld } from "../World.ts"

const OWNER = UserId.make("1")
const ANN = UserId.make("2")
const GUILD = GuildId.make("1000")
const OTHER_GUILD = GuildId.make("2000")

const search = (callerId: UserId, query: Parameters<typeof MemberQuery.make>[0] = {}) =>
  Effect.flatMap(MemberSearch, (members) => members.search(callerId, GUILD, MemberQuery.make(query)))

const found = (query: Parameters<typeof MemberQuery.make>[0] = {}) =>
  Effect.map(search(OWNER, query), ({ members }) => members.map(({ userId }) => userId))

const NOBODY: MemberPage = { members: [], total: 0, indexing: false }

/** Searches a directory that is searched in this way, and ahead of the permission or not. */
const searchOf = (callerId: UserId, page: Effect.Effect<MemberPage>, isAhead: boolean) =>
  search(callerId).pipe(
    Effect.provide(Layer.provide(
      Layer.fresh(MemberSearch.layer),
      Layer.succeed(MemberDirectory, { search: () => page, canSearchAhead: () => isAhead })
    ))
  )

const community = Effect.gen(function*() {
  yield* account(OWNER, { username: "olga" })
  yield* guild(GUILD, OWNER)
  return yield* account(ANN, { username: "ann" })
})

describe("searching the members of a guild", () => {
  it.effect("shows them with the names of their accounts", () =>
    Effect.gen(function*() {
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
    }).pipe(inWorld))

  it.effect("does not show the members of another guild", () =>
    Effect.gen(function*() {
      yield* community
      yield* guild(OTHER_GUILD, ANN)
      expect(yield* found()).toEqual([OWNER])
    }).pipe(inWorld))

  it.effect("is refused to a member who may not manage the guild", () =>
    Effect.gen(function*() {
      yield* community
      yield* member(GUILD, ANN)
      expect(yield* Effect.flip(search(ANN))).toMatchObject({
        _tag: "MissingGuildPermissions",
        guildId: GUILD,
        userId: ANN
      })
    }).pipe(inWorld))

  it.effect("knows no guild that the caller is not in", () =>
    Effect.gen(function*() {
      yield* community
      expect(yield* Effect.flip(search(ANN))).toMatchObject({ _tag: "UnknownGuild", guildId: GUILD })
    }).pipe(inWorld))
})

describe("searching ahead of the permission", () => {
  it.effect("goes on while the permission is checked", () =>
    Effect.gen(function*() {
      yield* community
      const begun = yield* Deferred.make<void>()
      const { require } = yield* GuildAccess
      const page = searchOf(OWNER, Effect.as(Deferred.succeed(begun, undefined), NOBODY), true).pipe(
        Effect.provideService(GuildAccess, {
          require: (...asked) => Effect.zipRight(Deferred.await(begun), require(...asked))
        })
      )
      expect(yield* page).toEqual(NOBODY)
    }).pipe(inWorld))

  it.effect("ends when the caller is refused, who gets no page", () =>
    Effect.gen(function*() {
      yield* community
      const begun = yield* Deferred.make<void>()
      const ended = yield* Deferred.make<void>()
      const { require } = yield* GuildAccess
      const endless = Effect.zipRight(Deferred.succeed(begun, undefined), Effect.never).pipe(
        Effect.onInterrupt(() => Deferred.succeed(ended, undefined))
      )
      const refused = searchOf(ANN, endless, true).pipe(
        Effect.provideService(GuildAccess, {
          require: (...asked) => Effect.zipRight(Deferred.await(begun), require(...asked))
        }),
        Effect.flip
      )
      expect(yield* refused).toMatchObject({ _tag: "UnknownGuild" })
      yield* Deferred.await(ended)
    }).pipe(inWorld))

  it.effect("is refused even if the page is there first", () =>
    Effect.gen(function*() {
      yield* community
      yield* member(GUILD, ANN)
      expect(yield* Effect.flip(searchOf(ANN, Effect.succeed(NOBODY), true)))
        .toMatchObject({ _tag: "MissingGuildPermissions" })
    }).pipe(inWorld))

  it.effect("does not happen where the search may have to prepare something", () =>
    Effect.gen(function*() {
      yield* community
      const searched = Effect.dieMessage("searched for a caller without permission")
      expect(yield* Effect.flip(searchOf(ANN, searched, false))).toMatchObject({ _tag: "UnknownGuild" })
    }).pipe(inWorld))
})
