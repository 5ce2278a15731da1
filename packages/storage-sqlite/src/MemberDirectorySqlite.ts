import { MemberDirectory } from "@community-messaging/domain/member-search/MemberDirectory"
import * as GuildIndexes from "@community-messaging/member-index/GuildIndexes"
import { Effect, Layer } from "effect"
import * as CommittedMembersSqlite from "./CommittedMembersSqlite.ts"
import { Database } from "./Database.ts"

/** Finds members through the indexes of their guilds, which know what is committed. */
export const layer: Layer.Layer<MemberDirectory, never, Database> = Layer.scoped(
  MemberDirectory,
  Effect.flatMap(Database, (database) => GuildIndexes.make(CommittedMembersSqlite.make(database)))
)
