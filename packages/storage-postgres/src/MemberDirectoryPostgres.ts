import { MemberDirectory } from "@community-messaging/domain/member-search/MemberDirectory"
import { type GuildIndexes, make, MemberIndexes } from "@community-messaging/member-index/GuildIndexes"
import * as TimeSlicer from "@community-messaging/member-index/TimeSlicer"
import { Context, Effect, Layer } from "effect"
import * as CommittedMembersPostgres from "./CommittedMembersPostgres.ts"
import { CommittedLogs, Connections } from "./PostgresDatabase.ts"

const services = (indexes: GuildIndexes) => {
  // Statements that check the caller's permission leave first, so that PostgreSQL runs them while the index is searched.
  const search: GuildIndexes["search"] = (guildId, query) =>
    Effect.zipRight(TimeSlicer.yieldToEventLoop, indexes.search(guildId, query))
  return Context.make(MemberIndexes, { ...indexes, search }).pipe(
    Context.add(MemberDirectory, { search, canSearchAhead: indexes.isIndexed })
  )
}

/** `MemberDirectory` on PostgreSQL, with an in-memory index per guild; and these indexes, for servers that divide them. */
export const layer: Layer.Layer<MemberDirectory | MemberIndexes, never, CommittedLogs | Connections> = Layer
  .scopedContext(
    Effect.flatMap(
      Effect.all([Connections, CommittedLogs]),
      ([pool, logs]) => Effect.map(make(CommittedMembersPostgres.make(pool, logs)), services)
    )
  )
