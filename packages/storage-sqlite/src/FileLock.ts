import { StorageError } from "@community-messaging/domain/shared-kernel/StorageError"
import type SqliteDriver from "better-sqlite3"
import { Effect, ExecutionStrategy, Exit, Scope } from "effect"
import { open } from "./DatabaseFile.ts"
import { isBusy } from "./SqliteFailure.ts"

/** One process holds an exclusive lock; several can hold a shared lock. */
export type LockMode = "exclusive" | "shared"

const STATEMENTS: Readonly<Record<LockMode, string>> = {
  exclusive: "BEGIN EXCLUSIVE",
  // A transaction takes the shared lock when it reads.
  shared: "BEGIN; SELECT count(*) FROM sqlite_schema"
}

/** Opens the file, and runs `take`, which returns whether it has locked it. Returns false if another process has a lock. */
export const tryLock = (
  filename: string,
  options: SqliteDriver.Options,
  operation: string,
  take: (driver: SqliteDriver.Database) => boolean
): Effect.Effect<boolean, StorageError, Scope.Scope> =>
  Effect.flatMap(open(filename, { ...options, timeout: 0 }), (driver) =>
    Effect.try({
      try: () => take(driver),
      catch: (cause) => new StorageError({ operation, cause })
    })).pipe(Effect.catchIf(isBusy, () => Effect.succeed(false)))

const lock = (filename: string, mode: LockMode, options: SqliteDriver.Options) =>
  tryLock(filename, options, "lock a file", (driver) => {
    // Otherwise, SQLite creates a journal beside the file.
    driver.pragma("journal_mode = MEMORY")
    driver.exec(STATEMENTS[mode])
    return true
  })

/**
 * Returns whether a process has the exclusive lock of this file, which must exist. Only reads. A process that acquires the
 * lock at the same moment may fail to get it.
 */
export const isHeld = (filename: string): Effect.Effect<boolean, StorageError> =>
  Effect.map(Effect.scoped(lock(filename, "shared", { readonly: true })), (isFree) => !isFree)

/**
 * Locks the file until the scope ends. Creates the file if it does not exist. Returns false if another process has the
 * lock, in a conflicting mode.
 *
 * The lock is SQLite's lock on an empty database file. The operating system grants an exclusive one to one process at a time
 * and releases it when that process ends, in any way. So the lock needs no expiry, no cleanup after a crash and no clock,
 * and it works wherever the database can be shared. The file must never be removed: then two processes could lock two files
 * with the same name.
 */
export const acquire = (
  filename: string,
  mode: LockMode = "exclusive"
): Effect.Effect<boolean, StorageError, Scope.Scope> =>
  Effect.gen(function*() {
    const scope = yield* Scope.fork(yield* Effect.scope, ExecutionStrategy.sequential)
    const held = yield* Scope.extend(lock(filename, mode, { fileMustExist: false }), scope)
    if (!held) yield* Scope.close(scope, Exit.void)
    return held
  })
