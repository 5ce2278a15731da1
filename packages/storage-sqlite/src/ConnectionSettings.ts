import { StorageError } from "@community-messaging/domain/shared-kernel/StorageError"
import { attempt } from "@community-messaging/storage-sql/SqlFailure"
import { Clock, Duration, Effect, Schedule } from "effect"
import type { Connection } from "./Connection.ts"
import { isBusy } from "./SqliteFailure.ts"

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
  readonly value: string
  /** What the pragma reads as when it is in force. */
  readonly inForce: unknown
}

const SETTINGS: ReadonlyArray<Setting> = [
  { pragma: "journal_mode", value: "WAL", inForce: "wal" },
  // Under WAL the driver begins with NORMAL: a power cut can then take the last commits.
  { pragma: "synchronous", value: "FULL", inForce: 2 },
  { pragma: "foreign_keys", value: "ON", inForce: 1 },
  // What a savepoint may have to undo is kept beside the database: in a temporary file that costs five times the write.
  { pragma: "temp_store", value: "MEMORY", inForce: 2 }
]

const apply = (
  connection: Connection,
  { inForce, pragma, value }: Setting,
  lockTimeout: Duration.Duration
) =>
  Effect.suspend(() => connection.run(`PRAGMA ${pragma} = ${value}`, [])).pipe(
    Effect.zipRight(Effect.suspend(() => connection.values(`PRAGMA ${pragma}`, []))),
    Effect.map((rows) => rows[0]?.[0]),
    Effect.retry({ while: isBusy, schedule: patience(lockTimeout) }),
    Effect.withClock(realTime),
    attempt(`set ${pragma}`),
    Effect.filterOrFail(
      (found) => found === inForce,
      (found) => new StorageError({ operation: `set ${pragma}`, cause: new Error(`It stays at ${String(found)}.`) })
    )
  )

/** Sets what whoever writes relies on, and makes sure that it is in force. */
export const applyTo = (
  connection: Connection,
  lockTimeout: Duration.Duration
): Effect.Effect<void, StorageError> =>
  Effect.forEach(SETTINGS, (setting) => apply(connection, setting, lockTimeout), { discard: true })
