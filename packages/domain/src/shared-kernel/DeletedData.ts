import { Context, type Effect } from "effect"
import type { StorageError } from "./StorageError.ts"

/** Port: what remains of deleted and replaced data in the files of a storage. */
export class DeletedData extends Context.Tag("@community-messaging/domain/DeletedData")<DeletedData, {
  /**
   * Removes the bytes of deleted and replaced data from the files of the storage, and returns their space to the file
   * system. Works in short steps, so that others are served in between. Returns false if a reader still needs the data;
   * then it must be called again later.
   */
  readonly purge: Effect.Effect<boolean, StorageError>
}>() {}
