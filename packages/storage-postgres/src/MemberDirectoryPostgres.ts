import { MemberDirectory } from "@community-messaging/domain/member-search/MemberDirectory"
import * as GuildIndexes from "@community-messaging/member-index/GuildIndexes"
import { Effect, Layer } from "effect"
import * as CommittedMembersPostgres from "./CommittedMembersPostgres.ts"
import { CommittedLogs, Connections } from "./PostgresDatabase.ts"

/** `MemberDirectory` on PostgreSQL, with an in-memory index per guild. */
export const layer: Layer.Layer<MemberDirectory, never, CommittedLogs | Connections> = Layer.scoped(
  MemberDirectory,
  Effect.flatMap(
    Effect.all([Connections, CommittedLogs]),
    ([pool, logs]) => GuildIndexes.make(CommittedMembersPostgres.make(pool, logs))
  )
)
