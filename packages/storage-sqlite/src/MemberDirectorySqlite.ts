import { MemberDirectory } from "@community-messaging/domain/member-search/MemberDirectory"
import { search } from "@community-messaging/domain/member-search/MemberMatch"
import { SnowflakeEpoch } from "@community-messaging/domain/Snowflake"
import * as GuildIndexes from "@community-messaging/member-index/GuildIndexes"
import { Effect, Layer } from "effect"
import * as CommittedMembersSqlite from "./CommittedMembersSqlite.ts"
import { Database } from "./Database.ts"
import { GuardedConnection } from "./GuardedConnection.ts"

/**
 * Finds members through the indexes of their guilds. Those know what is committed: where a unit of work sees its own
 * changes, in a database in memory, its searches are answered by `MemberMatch` itself.
 */
export const layer: Layer.Layer<MemberDirectory, never, Database> = Layer.scoped(
  MemberDirectory,
  Effect.gen(function*() {
    const { committed } = yield* Database
    const epoch = yield* SnowflakeEpoch
    const indexes = yield* GuildIndexes.make(CommittedMembersSqlite.make(committed))
    if (committed.isApart) return indexes
    const isWithinUnit = committed.read((connection) => Effect.succeed(connection instanceof GuardedConnection))
    return {
      search: (guildId, query) =>
        Effect.if(isWithinUnit, {
          onTrue: () =>
            Effect.map(
              committed.read((connection) => CommittedMembersSqlite.all(connection, guildId)),
              (members) => search(members, query, epoch)
            ),
          onFalse: () => indexes.search(guildId, query)
        })
    }
  })
)
