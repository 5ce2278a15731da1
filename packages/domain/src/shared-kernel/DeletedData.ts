import { Context, type Effect } from "effect"
import type { StorageError } from "./StorageError.ts"

/** Port: removes the remains of deleted and replaced data from the files of a storage. */
export class DeletedData extends Context.Tag("@community-messaging/domain/DeletedData")<DeletedData, {
  /**
   * Removes the bytes of deleted and replaced data from the files of the storage, as far as the storage can, and returns
   * their space to the file system or to later data. Works in short steps, so that requests are served in between. Returns
   * false if it finds that a reader still needs the data; then call it again later.
   */
  readonly purge: Effect.Effect<boolean, StorageError>
}>() {}
