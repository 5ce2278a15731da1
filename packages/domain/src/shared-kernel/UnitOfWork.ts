import { Context, type Effect } from "effect"
import type { StorageError } from "./StorageError.ts"

/** Port: makes several writes one, and several reads of one moment, whichever repositories they go through. */
export class UnitOfWork extends Context.Tag("@community-messaging/domain/shared-kernel/UnitOfWork")<UnitOfWork, {
  /**
   * Runs the effect in one transaction: all of its writes are kept durably when it succeeds, none when it fails, dies or
   * is interrupted. Inside another unit of work it joins that one. Transactions that write do not interleave: one that
   * waits for anything but its storage delays others, so it fails as unavailable when it does so for long.
   */
  readonly atomically: <A, E, R>(effect: Effect.Effect<A, E, R>) => Effect.Effect<A, E | StorageError, R>
  /**
   * Runs reads that all see the same state, however long they take; other processes go on writing meanwhile. Inside a
   * unit of work they see its own writes. It is for reads alone.
   */
  readonly snapshot: <A, E, R>(reads: Effect.Effect<A, E, R>) => Effect.Effect<A, E | StorageError, R>
}>() {}
