import { MemberIndexMaxBytes, MembersIndexedAtOnce } from "@community-messaging/member-index/GuildIndexes"
import { memberIndexingLaws } from "@community-messaging/storage-laws/MemberIndexingLaws"
import * as StorageMemory from "@community-messaging/storage-memory/StorageMemory"
import { Layer } from "effect"

memberIndexingLaws(({ maxBytes, membersAtOnce }) =>
  StorageMemory.layer.pipe(
    membersAtOnce === undefined ? (layer) => layer : Layer.provide(Layer.succeed(MembersIndexedAtOnce, membersAtOnce)),
    maxBytes === undefined ? (layer) => layer : Layer.provide(Layer.succeed(MemberIndexMaxBytes, maxBytes))
  )
)
