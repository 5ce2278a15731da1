import type { StorageError } from "@community-messaging/domain/shared-kernel/StorageError"
import { Effect } from "effect"
import { attempt, type SqlFailure } from "./SqlFailure.ts"
import type { Units } from "./Units.ts"

/** Whether others can hold the lock as well: `shared` excludes `exclusive` only. */
export type LockMode = "exclusive" | "shared"

/** Takes locks in the running unit of work. */
export type TakeLocks = (mode: LockMode, keys: ReadonlyArray<string>) => Effect.Effect<void, SqlFailure>

/** For storages whose units that write run one after another: there is nothing to wait for. */
export const takeNone: TakeLocks = () => Effect.void

/** Makes `Database.lock`: takes the locks in a unit of work, and is a defect outside. */
export const make = (
  { isInside }: Units,
  take: TakeLocks
): (mode: LockMode, keys: ReadonlyArray<string>) => Effect.Effect<void, StorageError> => {
  const outside = Effect.dieMessage("Only a unit of work can lock an aggregate.")
  return (mode, keys) =>
    Effect.flatMap(isInside, (inside) => {
      if (!inside) return outside
      return keys.length === 0 ? Effect.void : attempt("lock an aggregate")(take(mode, keys))
    })
}
