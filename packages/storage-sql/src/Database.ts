import type { StorageError } from "@community-messaging/domain/shared-kernel/StorageError"
import { Context, type Effect, type Queue, type Scope } from "effect"
import type { SqlFailure } from "./SqlFailure.ts"
import type { Fragment, Sql } from "./Statements.ts"
import type { Lock } from "./Units.ts"

/**
 * The differences between databases. Statements have `?` for parameters, and 64-bit ids are text in parameters and
 * results.
 */
export interface Dialect {
  /** Returns whether the statement failed because another row has the same value in this unique column. */
  readonly isTaken: (failure: SqlFailure, table: string, column: string) => boolean
  /** The end of a `SELECT` that claims rows: skips rows that another claimant has locked. */
  readonly skipLocked: Fragment
  /** What an `INSERT` does on a conflict in the column: the row stays, and no other unit removes it before this one ends. */
  readonly keepExisting: (column: string) => Fragment
  /** The table to which new events are written. If it is not `events`, they are moved there in the order of commits. */
  readonly newEvents: Fragment
  /**
   * A `SELECT` of the largest number that an event got, as `value`; no row if there is none. The event may have been removed,
   * or not be committed yet.
   */
  readonly lastEventNumber: Fragment
  /** Follows a text column, so that it is compared and ordered by its bytes. */
  readonly byBytes: Fragment
}

/** Port: the SQL database behind the storage ports. */
export class Database extends Context.Tag("@community-messaging/storage-sql/Database")<Database, {
  readonly dialect: Dialect
  /** Runs a statement in the running unit of work. Outside a unit of work, it reads committed data. */
  readonly sql: Sql
  /**
   * Runs a statement whose result is not read. In a unit of work on a database across a network, it does not wait: the
   * statement is sent with the next one or with the commit, which fails with its error if the statement fails.
   */
  readonly send: Sql<void>
  /** Runs writing statements in the running unit of work, or in a new one. */
  readonly write: <A, E, R>(statements: Effect.Effect<A, E, R>) => Effect.Effect<A, E | StorageError, R>
  /** Whether a unit of work is running. */
  readonly isInside: Effect.Effect<boolean>
  /** Like `UnitOfWork.atomically`. */
  readonly atomically: <A, E, R>(effect: Effect.Effect<A, E, R>) => Effect.Effect<A, E | StorageError, R>
  /**
   * Takes these locks, in this order, until the running unit of work ends; first waits for the units that hold them. Later
   * statements see what those units committed. Outside a unit of work, it is a defect. If units that write run one after
   * another, it does nothing.
   */
  readonly lock: (locks: ReadonlyArray<Lock>) => Effect.Effect<void, StorageError>
  /**
   * Runs a statement that waits for its result, and whose failure does not end the running unit of work. On some databases,
   * a failed statement ends the transaction, so they need a savepoint.
   */
  readonly recoverable: <A, E, R>(statement: Effect.Effect<A, E, R>) => Effect.Effect<A, E | StorageError, R>
  /** Like `UnitOfWork.snapshot`. */
  readonly snapshot: <A, E, R>(reads: Effect.Effect<A, E, R>) => Effect.Effect<A, E | StorageError, R>
  /** Notifies the subscribers of events after the running unit of work commits. Does nothing after a rollback. */
  readonly notify: Effect.Effect<void>
  /** Waits until all committed events are in the table `events`. In a unit of work, it does nothing. */
  readonly settled: Effect.Effect<void, StorageError>
  /** Like `EventLog.subscribe`. */
  readonly notifications: Effect.Effect<Queue.Dequeue<void>, never, Scope.Scope>
}>() {}
