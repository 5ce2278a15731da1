import { Context, type Effect } from "effect"
import type { StorageError } from "./StorageError.ts"

/** Port: whether the storage can be used now. Each check is short, but may write: cache the result if you check often. */
export class StorageHealth extends Context.Tag("@community-messaging/domain/StorageHealth")<StorageHealth, {
  /** Reads something. Fails if the storage does not answer. */
  readonly read: Effect.Effect<void, StorageError>
  /** Writes something durably, and leaves no data. Fails if the storage cannot write durably. */
  readonly write: Effect.Effect<void, StorageError>
  /** Returns whether the schema is the one that this program works with: another program may have changed it. */
  readonly isMigrated: Effect.Effect<boolean, StorageError>
}>() {}
