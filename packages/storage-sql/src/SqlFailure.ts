import { StorageError } from "@community-messaging/domain/shared-kernel/StorageError"
import { Data, Effect } from "effect"

/** The database refuses or fails a statement. Its message names tables and columns, never values. */
export class SqlFailure extends Data.TaggedError("SqlFailure")<{ readonly cause: unknown }> {}

/** A failure of the database under the name of what was attempted. */
export const storageError = (operation: string, { cause }: SqlFailure): StorageError =>
  new StorageError({ operation, cause })

/** Names what is attempted, for the case that it fails. */
export const attempt =
  (operation: string) =>
  <A, R>(effect: Effect.Effect<A, SqlFailure | StorageError, R>): Effect.Effect<A, StorageError, R> =>
    Effect.mapError(effect, (error) => error._tag === "StorageError" ? error : storageError(operation, error))
