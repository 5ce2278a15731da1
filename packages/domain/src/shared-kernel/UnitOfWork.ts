import { Context, type Effect } from "effect"
import type { Aggregate } from "./Aggregate.ts"
import type { StorageError } from "./StorageError.ts"

/**
 * Port: runs writes to several repositories atomically, and reads of several repositories on one snapshot.
 *
 * Units of work may run side by side, in this process and in others. Each read sees the commits before it begins, and the
 * unit's own writes. Several units may share a commit: then a unit also sees the writes of the units before it, and is
 * committed only together with them. A unit that reads, decides and writes therefore begins with `lock`, unless a single
 * call of a repository both checks and writes.
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
   * Locks the aggregates until the running unit of work ends. First waits for the units that have locked one of them, with
   * `lock` or `share`; later reads include all that those units committed. An aggregate need not exist. To avoid deadlocks,
   * a unit locks all of its aggregates in one call, before it writes, and shares none of them. Outside a unit of work, the
   * call is a defect.
   */
  readonly lock: (...aggregates: ReadonlyArray<Aggregate>) => Effect.Effect<void, StorageError>
  /**
   * Locks all aggregates: waits for the units that have locked one with `lock`, and keeps other units from locking any. For
   * imports, which change too many aggregates to lock them one by one. Does not wait for shared locks.
   */
  readonly lockAll: Effect.Effect<void, StorageError>
  /** Like `lock`, but shared: for units that need an aggregate unchanged, and do not change it. */
  readonly share: (...aggregates: ReadonlyArray<Aggregate>) => Effect.Effect<void, StorageError>
  /**
   * Runs reads on one snapshot of the storage. Other units can commit in the meantime. Inside a unit of work, there is no
   * separate snapshot: the reads see the same data as the unit. The effect must not write.
   */
  readonly snapshot: <A, E, R>(reads: Effect.Effect<A, E, R>) => Effect.Effect<A, E | StorageError, R>
}>() {}
