import { MemberDirectory } from "@community-messaging/domain/member-search/MemberDirectory"
import { Effect, Layer } from "effect"
import type { CommittedLogs, Connections } from "./PostgresDatabase.ts"

/** `MemberDirectory` on PostgreSQL, with an in-memory index per guild. */
export const layer: Layer.Layer<MemberDirectory, never, CommittedLogs | Connections> = Layer.succeed(MemberDirectory, {
  search: () => Effect.dieMessage("not there yet")
})
