import { UnitOfWork } from "@community-messaging/domain/shared-kernel/UnitOfWork"
import { Effect, Layer } from "effect"
import { MemoryState } from "./MemoryState.ts"

/** Units of work as transactions on the state. */
export const layer: Layer.Layer<UnitOfWork, never, MemoryState> = Layer.effect(
  UnitOfWork,
  Effect.map(MemoryState, ({ atomically, snapshot }) => ({ atomically, snapshot }))
)
