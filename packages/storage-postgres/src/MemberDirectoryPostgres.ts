import { MemberDirectory } from "@community-messaging/domain/member-search/MemberDirectory"
import * as GuildIndexes from "@community-messaging/member-index/GuildIndexes"
import * as TimeSlicer from "@community-messaging/member-index/TimeSlicer"
import { Effect, Layer } from "effect"
import * as CommittedMembersPostgres from "./CommittedMembersPostgres.ts"
import { CommittedLogs, Connections } from "./PostgresDatabase.ts"

/** `MemberDirectory` on PostgreSQL, with an in-memory index per guild. */
export const layer: Layer.Layer<MemberDirectory, never, CommittedLogs | Connections> = Layer.scoped(
  MemberDirectory,
  Effect.all([Connections, CommittedLogs]).pipe(
    Effect.flatMap(([pool, logs]) => GuildIndexes.make(CommittedMembersPostgres.make(pool, logs))),
    Effect.map(({ isIndexed, search }) => ({
      // Statements that check the caller's permission leave first, so that PostgreSQL runs them while the index is searched.
      search: (guildId, query) => Effect.zipRight(TimeSlicer.yieldToEventLoop, search(guildId, query)),
      canSearchAhead: isIndexed
    }))
  )
)
