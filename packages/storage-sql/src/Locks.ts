import type { StorageError } from "@community-messaging/domain/shared-kernel/StorageError"
import { Effect } from "effect"
import { attempt, type SqlFailure } from "./SqlFailure.ts"
import type { Units } from "./Units.ts"

/** A lock on a key, which is any text, such as `account:1`. */
export interface Lock {
  readonly key: string
  /** Whether other units can hold the lock shared, too. */
  readonly shared: boolean
}

/** Takes locks in the running unit of work, in this order. */
export type TakeLocks = (locks: ReadonlyArray<Lock>) => Effect.Effect<unknown, SqlFailure>

/** For storages whose writing units run one after another, so that no lock is necessary. */
export const takeNone: TakeLocks = () => Effect.void

/** Makes `Database.lock`: takes the locks in a unit of work, and is a defect outside. */
export const make = (
  { isInside }: Units,
  take: TakeLocks
): (locks: ReadonlyArray<Lock>) => Effect.Effect<void, StorageError> => {
  const outside = Effect.dieMessage("Only a unit of work can lock an aggregate.")
  return (locks) =>
    Effect.flatMap(
      isInside,
      (inside) => {
        if (!inside) return outside
        return locks.length === 0 ? Effect.void : Effect.asVoid(attempt("lock an aggregate")(take(locks)))
      }
    )
}
