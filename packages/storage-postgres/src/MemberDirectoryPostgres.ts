import { MemberDirectory } from "@community-messaging/domain/member-search/MemberDirectory"
import { make, MemberIndexes } from "@community-messaging/member-index/GuildIndexes"
import { Database } from "@community-messaging/storage-sql/Database"
import { Context, Effect, Layer } from "effect"
import * as CommittedMembersPostgres from "./CommittedMembersPostgres.ts"
import { PostgresServer } from "./PostgresDatabase.ts"

/** `MemberDirectory` on PostgreSQL, with an in-memory index per guild; and these indexes, for servers that divide them. */
export const layer: Layer.Layer<MemberDirectory | MemberIndexes, never, PostgresServer | Database> = Layer
  .scopedContext(
    Effect.all([PostgresServer, Database]).pipe(
      Effect.flatMap(([server, database]) => make(CommittedMembersPostgres.make(server, database))),
      Effect.map((indexes) => Context.make(MemberIndexes, indexes).pipe(Context.add(MemberDirectory, indexes)))
    )
  )
