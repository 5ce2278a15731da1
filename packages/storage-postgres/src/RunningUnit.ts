import type { StorageError } from "@community-messaging/domain/shared-kernel/StorageError"
import type { SqlFailure } from "@community-messaging/storage-sql/SqlFailure"
import type { Run } from "@community-messaging/storage-sql/Units"
import { Effect, Exit } from "effect"
import type { Group } from "./Group.ts"
import { isRetryable } from "./PostgresFailure.ts"

/** A unit of work that runs in the transaction of a group. */
export interface RunningUnit {
  readonly group: Group
  /** Whether a statement of the unit may have written something, or has failed. */
  hasEffect: boolean
  /** Whether it holds locks, which end with the transaction. */
  hasLocks: boolean
  /** Commits the units before this one, if it leaves their group. Its own statements wait for that. */
  left: Effect.Effect<void, SqlFailure> | undefined
  /** Why its statements fail from now on: it was idle for too long, or its writes cannot be committed. */
  failure: SqlFailure | undefined
  /** Whether it was idle for too long. */
  hasExpired: boolean
}

/** Makes a unit that begins to run in the group. */
export const runningIn = (group: Group): RunningUnit => ({
  group,
  hasEffect: false,
  hasLocks: false,
  left: undefined,
  failure: undefined,
  hasExpired: false
})

/**
 * The outcome of a run of a unit: with `conflict`, it failed because of another transaction, and can be run again; with
 * `again`, it must run again, alone.
 */
export type Outcome<A, E> = Exit.Exit<A, E | StorageError> | "conflict" | "again"

/** Runs statements of the unit, and records the consequences of their failures. */
export const statementsOf = (running: RunningUnit): Run => (text, parameters) =>
  running.failure === undefined
    ? Effect.tapError(running.group.connection.run(text, parameters), (failure) => {
      running.hasEffect = true
      if (isRetryable(failure)) running.group.conflict = failure
      return Effect.void
    })
    : Exit.fail(running.failure)
