import { memberIndexingContract } from "@community-messaging/domain-contract/MemberIndexingContract"
import * as Samples from "@community-messaging/domain-contract/Samples"
import * as Saved from "@community-messaging/domain-contract/Saved"
import type { UserId } from "@community-messaging/domain/account/User"
import { GuildAccess } from "@community-messaging/domain/guild/GuildAccess"
import { MembershipRepository } from "@community-messaging/domain/guild/MembershipRepository"
import { MemberDirectory } from "@community-messaging/domain/member-search/MemberDirectory"
import { MemberQuery } from "@community-messaging/domain/member-search/MemberQuery"
import { MemberSearch } from "@community-messaging/domain/member-search/MemberSearch"
import { MemberIndexMaxBytes, MembersIndexedAtOnce } from "@community-messaging/member-index/GuildIndexes"
import { describe, expect, it } from "@effect/vitest"
import { Effect, Either, Layer } from "effect"
import { temporaryStorage } from "./TemporaryDatabase.ts"

describe("PostgreSQL", () => {
  memberIndexingContract(({ maxBytes, membersAtOnce }) =>
    temporaryStorage.pipe(
      membersAtOnce === undefined
        ? (layer) => layer
        : Layer.provide(Layer.succeed(MembersIndexedAtOnce, membersAtOnce)),
      maxBytes === undefined ? (layer) => layer : Layer.provide(Layer.succeed(MemberIndexMaxBytes, maxBytes))
    )
  )

  it.effect("a guild is searched ahead of its caller's permission once it has an index, and not before", () =>
    Effect.gen(function*() {
      const { id: guildId } = yield* Saved.guild()
      const directory = yield* MemberDirectory
      const before = directory.canSearchAhead(guildId)
      yield* directory.search(guildId, MemberQuery.make({}))
      expect([before, directory.canSearchAhead(guildId)]).toEqual([false, true])
    }).pipe(Effect.provide(temporaryStorage)))

  it.effect("a guild with an index is searched for its owner, and refused to a stranger and to a member without permission", () =>
    Effect.gen(function*() {
      const { id: ownerId } = yield* Saved.user()
      const { id: guildId } = yield* Saved.guild({ ownerId })
      const { id: strangerId } = yield* Saved.user()
      const { id: memberId } = yield* Saved.user()
      const memberships = yield* MembershipRepository
      yield* memberships.save(Samples.membership({ guildId, userId: ownerId }))
      yield* memberships.save(Samples.membership({ guildId, userId: memberId }))
      const { search } = yield* MemberSearch
      const answerTo = (callerId: UserId) => Effect.either(search(callerId, guildId, MemberQuery.make({})))
      yield* answerTo(ownerId)
      expect(yield* Effect.forEach([ownerId, strangerId, memberId], answerTo)).toMatchObject([
        Either.right({ total: 2, indexing: false }),
        Either.left({ _tag: "UnknownGuild" }),
        Either.left({ _tag: "MissingGuildPermissions" })
      ])
    }).pipe(Effect.provide(Layer.provideMerge(
      Layer.provide(MemberSearch.layer, GuildAccess.layer),
      temporaryStorage
    ))))
})
