import { UnitOfWork } from "@community-messaging/domain/UnitOfWork"
import { Effect, Layer } from "effect"
import { Database } from "./Database.ts"

/** Units of work as SQLite transactions that lock the database for writing from their beginning. */
export const layer: Layer.Layer<UnitOfWork, never, Database> = Layer.effect(
  UnitOfWork,
  Effect.map(Database, ({ afterCommit, atomically, snapshot }) => ({ atomically, snapshot, afterCommit }))
)
