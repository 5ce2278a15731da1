import { Context, type Effect } from "effect"
import type { StorageError } from "./StorageError.ts"

/** Port: runs writes to several repositories atomically, and reads of several repositories on one snapshot. */
export class UnitOfWork extends Context.Tag("@community-messaging/domain/UnitOfWork")<UnitOfWork, {
  /**
   * Runs the effect in one transaction. All of its writes are committed durably if it succeeds, and rolled back if it
   * fails, dies or is interrupted. Inside another unit of work, the effect joins that one. Transactions that write do
   * not interleave, so an effect that waits for anything but its storage delays others; if it waits for long, it fails
   * with `StorageError`.
   */
  readonly atomically: <A, E, R>(effect: Effect.Effect<A, E, R>) => Effect.Effect<A, E | StorageError, R>
  /**
   * Runs reads on one snapshot of the storage. Other processes can write in the meantime. Inside a unit of work, the
   * reads also see the unit's own writes. The effect must not write.
   */
  readonly snapshot: <A, E, R>(reads: Effect.Effect<A, E, R>) => Effect.Effect<A, E | StorageError, R>
}>() {}
