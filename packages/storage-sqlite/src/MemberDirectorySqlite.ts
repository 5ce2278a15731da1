import { MemberDirectory } from "@community-messaging/domain/member-search/MemberDirectory"
import * as GuildIndexes from "@community-messaging/member-index/GuildIndexes"
import { Database } from "@community-messaging/storage-sql/Database"
import { Effect, Layer } from "effect"
import * as CommittedMembersSqlite from "./CommittedMembersSqlite.ts"
import { SqliteFile } from "./SqliteDatabase.ts"

/** `MemberDirectory` on SQLite, with an in-memory index per guild. */
export const layer: Layer.Layer<MemberDirectory, never, Database | SqliteFile> = Layer.scoped(
  MemberDirectory,
  Effect.flatMap(
    Effect.all([SqliteFile, Database]),
    ([file, database]) => GuildIndexes.make(CommittedMembersSqlite.make(file, database))
  )
)
