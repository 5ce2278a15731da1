import type { UnitOfWork } from "@community-messaging/domain/shared-kernel/UnitOfWork"
import { Effect } from "effect"
import type { MemoryState } from "./MemoryState.ts"

/** `UnitOfWork` in memory, with the transactions of `MemoryState`. They run one after another, so a lock does nothing. */
export const make = (
  { atomically, isInTransaction, snapshot }: typeof MemoryState.Service
): typeof UnitOfWork.Service => {
  const hold = Effect.flatMap(
    isInTransaction,
    (inside) => inside ? Effect.void : Effect.dieMessage("Only a unit of work can lock an aggregate.")
  )
  return { atomically, lock: () => hold, lockAll: hold, share: () => hold, snapshot }
}
