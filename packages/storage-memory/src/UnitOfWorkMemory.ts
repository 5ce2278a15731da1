import { UnitOfWork } from "@community-messaging/domain/shared-kernel/UnitOfWork"
import { Effect, Layer } from "effect"
import { MemoryState } from "./MemoryState.ts"

/** `UnitOfWork` in memory, with the transactions of `MemoryState`. They run one after another, so a lock does nothing. */
export const layer: Layer.Layer<UnitOfWork, never, MemoryState> = Layer.effect(
  UnitOfWork,
  Effect.map(MemoryState, ({ atomically, isInTransaction, snapshot }) => {
    const hold = Effect.flatMap(
      isInTransaction,
      (inside) => inside ? Effect.void : Effect.dieMessage("Only a unit of work can lock an aggregate.")
    )
    return { atomically, lock: () => hold, lockAll: hold, share: () => hold, snapshot }
  })
)
