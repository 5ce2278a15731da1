import { StorageError } from "@community-messaging/domain/shared-kernel/StorageError"
import * as CommitMetrics from "@community-messaging/storage-sql/CommitMetrics"
import { type SqlFailure, storageError } from "@community-messaging/storage-sql/SqlFailure"
import { type Clock, type Deferred, Effect } from "effect"
import type { Connection } from "./Connection.ts"
import { isConnectionLost, isRetryable } from "./PostgresFailure.ts"

/** The maximum number of units in a group: the first one completes only after the last one. */
const MAX_UNITS = 16

/** The milliseconds after which a group accepts no more units. */
const MAX_MILLIS = 10

/**
 * How long a statement may wait for a lock in a group, in milliseconds: all of its units wait with it. It ends a deadlock of
 * two groups, whose units alone would not wait for each other, before PostgreSQL detects it.
 */
const LOCK_MILLIS = 100

/**
 * How a group ends: with `again`, its units run again, each alone; with `conflict`, its only unit failed because of another
 * transaction.
 */
export type Ending = "committed" | "again" | "conflict" | StorageError

/** Begins a snapshot, which may be idle for longer than a unit of work that writes, because it blocks no other. */
export const BEGIN_SNAPSHOT =
  "BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY; SET LOCAL idle_in_transaction_session_timeout TO '10min'"

/** How a unit runs: `alone`, it shares its transaction with no other; a `snapshot` only reads, and is alone, too. */
export type Mode = "shared" | "alone" | "snapshot"

/** Units of work in one transaction, one after another. */
export interface Group {
  readonly connection: Connection
  /** The failure after which the whole transaction can be run again. */
  conflict: SqlFailure | undefined
  /** Whether it reads one snapshot, and writes nothing. */
  readonly isSnapshot: boolean
  readonly clock: Clock.Clock
  /** When it began, in milliseconds of `clock`. */
  readonly since: number
  /** The number of units that have joined. */
  size: number
  /** Completes the units that have ended and wait for the commit. */
  readonly ended: Array<Deferred.Deferred<Ending>>
  /** Whether it accepts more units. */
  isOpen: boolean
  /** Whether its commit notifies the subscribers of events. */
  notifies: boolean
}

/** Begins a transaction with the next statement. */
export const begin = (connection: Connection, clock: Clock.Clock, mode: Mode): Group => {
  const isSnapshot = mode === "snapshot"
  connection.begin(isSnapshot ? BEGIN_SNAPSHOT : "BEGIN")
  return {
    connection,
    conflict: undefined,
    isSnapshot,
    clock,
    since: clock.unsafeCurrentTimeMillis(),
    size: 1,
    ended: [],
    isOpen: mode === "shared",
    notifies: false
  }
}

/** Rolls back. A connection that cannot roll back is lost, or is closed when it is released. */
export const rollBack = ({ connection }: Group): Effect.Effect<unknown> => Effect.ignore(connection.end("ROLLBACK"))

/** Returns the ending of a group that was rolled back. */
const endingOf = ({ size }: Group, operation: string, reason: SqlFailure | undefined): Ending => {
  if (size > 1) return "again"
  if (reason === undefined) return new StorageError({ operation })
  return isRetryable(reason) ? "conflict" : storageError(operation, reason)
}

/** Commits the writes of the units. */
export const commit = (group: Group): Effect.Effect<Ending> =>
  Effect.suspend(() => {
    const { conflict, connection, isSnapshot } = group
    if (isSnapshot) return Effect.as(rollBack(group), "committed")
    const { isBegun } = connection
    const begun = performance.now()
    return Effect.matchEffect(connection.end("COMMIT"), {
      onFailure: (failure): Effect.Effect<Ending> =>
        Effect.as(
          rollBack(group),
          isConnectionLost(failure)
            ? storageError("commit a transaction: its outcome is unknown", failure)
            : endingOf(group, "commit a transaction", failure)
        ),
      onSuccess: (done): Effect.Effect<Ending> => {
        if (done !== "ROLLBACK") {
          if (isBegun) CommitMetrics.count(group.ended.length, performance.now() - begun)
          return Effect.succeed("committed")
        }
        // A statement has failed without failing its unit: it was sent by `send`, or its failure was caught.
        const operation = "commit a transaction: one of its statements has failed"
        return Effect.succeed(endingOf(group, operation, conflict ?? connection.failureSent))
      }
    })
  })

/** Adds a unit. If one waits for the commit, statements wait for locks only briefly from now on: it waits, too. */
export const join = (group: Group): void => {
  group.size += 1
  if (group.ended.length === 1) group.connection.send(`SET LOCAL lock_timeout TO ${LOCK_MILLIS}`, [])
}

/** The milliseconds since the group began. */
export const ageOf = ({ clock, since }: Group): number => clock.unsafeCurrentTimeMillis() - since

/** Returns whether another unit can join the group. */
export const hasRoom = (group: Group): boolean => group.isOpen && group.size < MAX_UNITS && ageOf(group) < MAX_MILLIS
