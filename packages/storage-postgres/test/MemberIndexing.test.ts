import { memberIndexingContract } from "@community-messaging/domain-contract/MemberIndexingContract"
import * as Saved from "@community-messaging/domain-contract/Saved"
import { MemberDirectory } from "@community-messaging/domain/member-search/MemberDirectory"
import { MemberQuery } from "@community-messaging/domain/member-search/MemberQuery"
import { MemberIndexMaxBytes, MembersIndexedAtOnce } from "@community-messaging/member-index/GuildIndexes"
import { describe, expect, it } from "@effect/vitest"
import { Effect, Layer } from "effect"
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
})
