import { UnitOfWork } from "@community-messaging/domain/shared-kernel/UnitOfWork"
import { Effect, Layer } from "effect"
import { Database } from "./Database.ts"

/** `UnitOfWork` in SQL. */
export const layer: Layer.Layer<UnitOfWork, never, Database> = Layer.effect(
  UnitOfWork,
  Effect.map(Database, ({ atomically, snapshot }) => ({ atomically, snapshot }))
)
