import type { Restore } from "@community-messaging/domain/shared-kernel/FifoLock"
import type { StorageError } from "@community-messaging/domain/shared-kernel/StorageError"
import * as IdleLimit from "@community-messaging/storage-sql/IdleLimit"
import { SqlFailure, storageError } from "@community-messaging/storage-sql/SqlFailure"
import type { Run } from "@community-messaging/storage-sql/Units"
import { Duration, Effect, Exit } from "effect"
import type { Connection } from "./Connection.ts"
import { isRetryable } from "./PostgresFailure.ts"

/** A transaction on its connection. */
export interface Transaction {
  readonly connection: Connection
  /** The failure after which the whole transaction can be run again. */
  conflict: SqlFailure | undefined
}

/** A unit of work that runs in a transaction. */
export interface RunningUnit<T extends Transaction> {
  readonly transaction: T
  /** Whether a statement of the unit may have written something, or has failed. */
  hasEffect: boolean
  /** Why its statements fail from now on: it was idle for too long, or its writes cannot be committed. */
  failure: SqlFailure | undefined
  /** Whether it was idle for too long. */
  hasExpired: boolean
}

/** Makes a unit that begins to run in the transaction. */
export const runningIn = <T extends Transaction>(transaction: T): RunningUnit<T> => ({
  transaction,
  hasEffect: false,
  failure: undefined,
  hasExpired: false
})

/** The outcome of a run of a unit: with `conflict`, it failed because of another transaction, and can be run again. */
export type Outcome<A, E> = Exit.Exit<A, E | StorageError> | "conflict"

/** Runs statements of the unit, and records the consequences of their failures. */
export const statementsOf = (running: RunningUnit<Transaction>): Run => (text, parameters) =>
  running.failure === undefined
    ? Effect.tapError(running.transaction.connection.run(text, parameters), (failure) => {
      running.hasEffect = true
      if (isRetryable(failure)) running.transaction.conflict = failure
      return Effect.void
    })
    : Exit.fail(running.failure)

/** Runs the unit, and fails if it sends no statement for too long. */
export const bounded = <A, E, R>(
  restore: Restore,
  body: Effect.Effect<A, E, R>,
  running: RunningUnit<Transaction>,
  idleMillis: number
): Effect.Effect<A, E | StorageError, R> =>
  IdleLimit.run(restore, restore(body), {
    limitMillis: idleMillis,
    lastActive: () => running.transaction.connection.lastActive,
    expire: () => {
      const cause = new Error(`It sent no statement for ${Duration.format(idleMillis)}.`)
      running.failure = new SqlFailure({ cause })
      running.hasExpired = true
      return Exit.fail(storageError("wait for a unit of work", running.failure))
    }
  })

/** Rolls back. A connection that cannot roll back is lost, or is closed when it is released. */
export const rollBack = ({ connection }: Transaction): Effect.Effect<unknown> =>
  Effect.ignore(connection.end("ROLLBACK"))
