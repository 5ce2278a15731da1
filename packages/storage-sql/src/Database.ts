import type { StorageError } from "@community-messaging/domain/shared-kernel/StorageError"
import { Context, type Effect, type Queue, type Scope } from "effect"
import type { SqlFailure } from "./SqlFailure.ts"
import type { Fragment, Sql } from "./Statements.ts"

/** What databases say differently. Parameters stand as `?` in texts, and 64-bit ids are text on both ways. */
export interface Dialect {
  /** Whether the statement failed because the value of that column, which is unique in the table, is another row's. */
  readonly isTaken: (failure: SqlFailure, table: string, column: string) => boolean
  /** Ends the selection of rows that are claimed: who claims at the same time passes over them. */
  readonly skipLocked: Fragment
}

/** Port: the SQL database behind the storage ports. */
export class Database extends Context.Tag("@community-messaging/storage-sql/Database")<Database, {
  readonly dialect: Dialect
  /** A statement in the running unit of work; outside it reads what is committed. */
  readonly sql: Sql
  /** Runs statements that write, in the running unit of work or in one of their own. */
  readonly write: <A, E, R>(statements: Effect.Effect<A, E, R>) => Effect.Effect<A, E | StorageError, R>
  /** As `UnitOfWork.atomically`. */
  readonly atomically: <A, E, R>(effect: Effect.Effect<A, E, R>) => Effect.Effect<A, E | StorageError, R>
  /** As `UnitOfWork.snapshot`. */
  readonly snapshot: <A, E, R>(reads: Effect.Effect<A, E, R>) => Effect.Effect<A, E | StorageError, R>
  /** Wakes those who wait for events once the running unit of work is committed. A rollback forgets it. */
  readonly notify: Effect.Effect<void>
  /** As `EventLog.subscribe`. */
  readonly notifications: Effect.Effect<Queue.Dequeue<void>, never, Scope.Scope>
}>() {}
