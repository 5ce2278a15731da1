import { UnitOfWork } from "@community-messaging/domain/shared-kernel/UnitOfWork"
import { Effect, Layer } from "effect"
import { MemoryState } from "./MemoryState.ts"

/** `UnitOfWork` in memory, with the transactions of `MemoryState`. */
export const layer: Layer.Layer<UnitOfWork, never, MemoryState> = Layer.effect(
  UnitOfWork,
  Effect.map(MemoryState, ({ atomically, snapshot }) => ({ atomically, snapshot }))
)
