import { Context, type Effect } from "effect"
import type { Aggregate } from "./Aggregate.ts"
import type { StorageError } from "./StorageError.ts"

/**
 * Port: runs writes to several repositories atomically, and reads of several repositories on one snapshot.
 *
 * Units of work may run side by side, in this process and in others. Each read sees what is committed when it begins,
 * and the unit's own writes. Several units may share a commit: then a unit also sees the writes of those before it, and is
 * committed only together with them. A unit that reads, decides and writes therefore begins with `lock`, unless one statement
 * of a repository decides by itself.
 */
export class UnitOfWork extends Context.Tag("@community-messaging/domain/UnitOfWork")<UnitOfWork, {
  /**
   * Runs the effect in one transaction. All of its writes are committed durably if it succeeds, and rolled back if it
   * fails, dies or is interrupted. Inside another unit of work, the effect joins that one.
   *
   * The effect may run more than once: a storage rolls back and repeats a unit that deadlocks with another one. So it must
   * have no other effects than writes to this storage. An effect that waits for anything but its storage delays others; if
   * it waits for long, it fails with `StorageError`. If a write fails with `StorageError`, the error may come late: from a
   * later statement of the unit, or from its commit.
   */
  readonly atomically: <A, E, R>(effect: Effect.Effect<A, E, R>) => Effect.Effect<A, E | StorageError, R>
  /**
   * Holds the aggregates until the running unit of work ends; first waits for the units that hold one of them, alone or
   * shared. What the unit reads afterwards includes all that those have committed. An aggregate need not exist. To avoid
   * deadlocks, a unit takes all of its aggregates in one call, before it writes, and holds none of them shared. Outside of
   * a unit of work this is a defect.
   */
  readonly lock: (...aggregates: ReadonlyArray<Aggregate>) => Effect.Effect<void, StorageError>
  /**
   * Holds all aggregates: waits for the units that hold some by `lock`, and keeps others from holding any. For imports, which
   * change more than can be held one by one. Does not wait for units that hold aggregates shared.
   */
  readonly lockAll: Effect.Effect<void, StorageError>
  /** Like `lock`, but several units can hold an aggregate shared: those who need it unchanged, and do not change it. */
  readonly share: (...aggregates: ReadonlyArray<Aggregate>) => Effect.Effect<void, StorageError>
  /**
   * Runs reads on one snapshot of the storage. Other units can commit in the meantime. Inside a unit of work there is no
   * snapshot of its own: the reads see what the unit sees. The effect must not write.
   */
  readonly snapshot: <A, E, R>(reads: Effect.Effect<A, E, R>) => Effect.Effect<A, E | StorageError, R>
}>() {}
