import { UnitOfWork } from "@community-messaging/domain/shared-kernel/UnitOfWork"
import { Effect, Layer } from "effect"
import { Database } from "./Database.ts"

/** Units of work on the database. */
export const layer: Layer.Layer<UnitOfWork, never, Database> = Layer.effect(
  UnitOfWork,
  Effect.map(Database, ({ atomically, snapshot }) => ({ atomically, snapshot }))
)
