import type { Aggregate } from "@community-messaging/domain/shared-kernel/Aggregate"
import { UnitOfWork } from "@community-messaging/domain/shared-kernel/UnitOfWork"
import { Effect, Layer } from "effect"
import { Database } from "./Database.ts"

const keyOf = ({ id, kind }: Aggregate): string => `${kind}:${id}`

/** `UnitOfWork` in SQL. */
export const layer: Layer.Layer<UnitOfWork, never, Database> = Layer.effect(
  UnitOfWork,
  Effect.map(Database, ({ atomically, lock, snapshot }) => ({
    atomically,
    lock: (...aggregates) => lock("exclusive", aggregates.map(keyOf)),
    share: (...aggregates) => lock("shared", aggregates.map(keyOf)),
    snapshot
  }))
)
