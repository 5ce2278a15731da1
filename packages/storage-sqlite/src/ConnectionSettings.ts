import { StorageError } from "@community-messaging/domain/StorageError"
import type { SqlConnection, SqlError } from "@effect/sql"
import { Clock, Duration, Effect, Schedule } from "effect"
import { attempt, isBusy } from "./SqliteFailure.ts"

/** How long to wait for the lock of another process, unless told otherwise. */
export const DEFAULT_LOCK_TIMEOUT = Duration.seconds(5)

/** Waiting for another process takes real time, whatever clock the program is told. */
export const realTime = Clock.make()

/** When a lock is tried for again: soon, then every 10 ms or so. */
export const patience = (lockTimeout: Duration.Duration) =>
  Schedule.exponential("1 millis").pipe(
    Schedule.union(Schedule.spaced("10 millis")),
    Schedule.jittered,
    Schedule.upTo(lockTimeout)
  )

interface Setting {
  readonly pragma: string
  readonly value: string | number
  /** What the pragma reads as when it is in force. */
  readonly inForce: ReadonlyArray<unknown>
}

const settings = (lockTimeout: Duration.Duration): ReadonlyArray<Setting> => [
  { pragma: "busy_timeout", value: Duration.toMillis(lockTimeout), inForce: [Duration.toMillis(lockTimeout)] },
  // A database in memory has no log to write ahead.
  { pragma: "journal_mode", value: "WAL", inForce: ["wal", "memory"] },
  // Under WAL the driver begins with NORMAL: a power cut can then take the last commits.
  { pragma: "synchronous", value: "FULL", inForce: [2] },
  { pragma: "foreign_keys", value: "ON", inForce: [1] }
]

const run = (
  connection: SqlConnection.Connection,
  statement: string
): Effect.Effect<unknown, SqlError.SqlError> =>
  Effect.map(connection.executeValues(statement, []), (rows) => rows[0]?.[0])

const apply = (
  connection: SqlConnection.Connection,
  { inForce, pragma, value }: Setting,
  lockTimeout: Duration.Duration
) =>
  run(connection, `PRAGMA ${pragma} = ${value}`).pipe(
    Effect.zipRight(run(connection, `PRAGMA ${pragma}`)),
    Effect.retry({ while: isBusy, schedule: patience(lockTimeout) }),
    Effect.withClock(realTime),
    attempt(`set ${pragma}`),
    Effect.filterOrFail(
      (found) => inForce.includes(found),
      (found) => new StorageError({ operation: `set ${pragma}`, cause: new Error(`It stays at ${String(found)}.`) })
    )
  )

/** Sets what the adapter relies on, and makes sure that it is in force. */
export const applyTo = (
  connection: SqlConnection.Connection,
  lockTimeout: Duration.Duration
): Effect.Effect<void, StorageError> =>
  Effect.forEach(settings(lockTimeout), (setting) => apply(connection, setting, lockTimeout), { discard: true })
