import { memberIndexingContract } from "@community-messaging/domain-contract/MemberIndexingContract"
import { MemberIndexMaxBytes, MembersIndexedAtOnce } from "@community-messaging/member-index/GuildIndexes"
import { describe } from "@effect/vitest"
import { Layer } from "effect"
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
})
