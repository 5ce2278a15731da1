import { realTime } from "@community-messaging/domain/shared-kernel/RealTime"
import { StorageError } from "@community-messaging/domain/shared-kernel/StorageError"
import { attempt, SqlFailure, storageError } from "@community-messaging/storage-sql/SqlFailure"
import { Duration, Effect, Schedule } from "effect"
import type { Connection } from "./Connection.ts"
import { isBusy, isFull } from "./SqliteFailure.ts"

/** The default time to wait for the lock of another process. */
export const DEFAULT_LOCK_TIMEOUT = Duration.seconds(5)

/** The schedule of retries for a lock: soon at first, then about every 10 ms. */
const lockRetries = (lockTimeout: Duration.Duration) =>
  Schedule.exponential("1 millis").pipe(
    Schedule.union(Schedule.spaced("10 millis")),
    Schedule.jittered,
    Schedule.upTo(lockTimeout)
  )

interface Setting {
  readonly pragma: string
  readonly value: string
  /** The value that the pragma returns when it is in force. */
  readonly inForce: unknown
}

const SETTINGS: ReadonlyArray<Setting> = [
  { pragma: "journal_mode", value: "WAL", inForce: "wal" },
  // In WAL mode, the driver's default is NORMAL, which can lose the last commits in a power failure.
  { pragma: "synchronous", value: "FULL", inForce: 2 },
  // Deleted rows are overwritten with zeros. FAST does not change free pages, which a purge removes from the file.
  { pragma: "secure_delete", value: "FAST", inForce: 2 },
  { pragma: "foreign_keys", value: "ON", inForce: 1 },
  // For each savepoint, SQLite copies the pages that it changes. In a temporary file, the copies cost five times the write.
  { pragma: "temp_store", value: "MEMORY", inForce: 2 }
]

const run = (connection: Connection, text: string) => Effect.suspend(() => connection.run(text, []))

/** Runs a pragma. Returns the value in the first column of its first row. */
export const valueOf = (connection: Connection, pragma: string) =>
  Effect.map(Effect.suspend(() => connection.values(`PRAGMA ${pragma}`, [])), ([row]) => row?.[0])

/** Retries while another process has the lock. */
export const retryWhileLocked = (lockTimeout: Duration.Duration) => <A, E>(effect: Effect.Effect<A, E | SqlFailure>) =>
  Effect.retry(effect, {
    while: (error) => error instanceof SqlFailure && isBusy(error),
    schedule: lockRetries(lockTimeout)
  }).pipe(Effect.withClock(realTime))

/** The value of `auto_vacuum` that allows to return free pages to the file system. */
const INCREMENTAL = 2

/** Whether free pages can be returned to the file system. */
export const isIncremental = (connection: Connection) =>
  Effect.map(valueOf(connection, "auto_vacuum"), (found) => found === INCREMENTAL)

/** SQLite does not report which of the two is full. */
const NO_SPACE =
  "rewrite the database: its folder and that of SQLITE_TMPDIR or TMPDIR need as much free space as the database has"

/**
 * Allows to return free pages to the file system. Must come first: it takes effect in an empty file, before the journal mode
 * is set. A file of an earlier version is rewritten, which also removes data that was deleted earlier. SQLite writes the new
 * content to its temporary folder first: `SQLITE_TMPDIR`, `TMPDIR`, `/var/tmp` or `/tmp`.
 */
const allowIncrementalVacuum = (connection: Connection, lockTimeout: Duration.Duration) => {
  const isAllowed = isIncremental(connection)
  return Effect.zipRight(
    run(connection, "PRAGMA auto_vacuum = INCREMENTAL"),
    Effect.unlessEffect(run(connection, "VACUUM"), isAllowed)
  ).pipe(
    // To set the mode again would take the lock.
    Effect.unlessEffect(isAllowed),
    retryWhileLocked(lockTimeout),
    Effect.mapError((failure) => storageError(isFull(failure) ? NO_SPACE : "rewrite the database", failure))
  )
}

const apply = (
  connection: Connection,
  { inForce, pragma, value }: Setting,
  lockTimeout: Duration.Duration
) =>
  run(connection, `PRAGMA ${pragma} = ${value}`).pipe(
    Effect.zipRight(valueOf(connection, pragma)),
    retryWhileLocked(lockTimeout),
    attempt(`set ${pragma}`),
    Effect.filterOrFail(
      (found) => found === inForce,
      (found) => new StorageError({ operation: `set ${pragma}`, cause: new Error(`It stays at ${String(found)}.`) })
    )
  )

/**
 * Applies the settings that the writer relies on, and checks that they are in force. Without `mayRewrite`, a file of an
 * earlier version stays without incremental vacuum.
 */
export const applyTo = (
  connection: Connection,
  { lockTimeout, mayRewrite }: { readonly lockTimeout: Duration.Duration; readonly mayRewrite: boolean }
): Effect.Effect<void, StorageError> =>
  Effect.zipRight(
    mayRewrite ? allowIncrementalVacuum(connection, lockTimeout) : Effect.void,
    Effect.forEach(SETTINGS, (setting) => apply(connection, setting, lockTimeout), { discard: true })
  )
