import { StorageError } from "@community-messaging/domain/shared-kernel/StorageError"
import { Data, Effect } from "effect"

/** A statement failed. The message may contain names of tables and columns, but no values. */
export class SqlFailure extends Data.TaggedError("SqlFailure")<{ readonly cause: unknown }> {}

/** Converts a failure to a `StorageError` of the operation. */
export const storageError = (operation: string, { cause }: SqlFailure): StorageError =>
  new StorageError({ operation, cause })

/** Names the operation in the `StorageError` if it fails. */
export const attempt =
  (operation: string) =>
  <A, R>(effect: Effect.Effect<A, SqlFailure | StorageError, R>): Effect.Effect<A, StorageError, R> =>
    // Unlike `mapError`, takes no step of the runtime if the effect succeeds.
    Effect.catchAll(effect, (error) => error._tag === "StorageError" ? error : storageError(operation, error))
