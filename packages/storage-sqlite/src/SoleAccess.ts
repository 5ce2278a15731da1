import type { StorageError } from "@community-messaging/domain/shared-kernel/StorageError"
import type { Effect, Scope } from "effect"
import { tryLock } from "./FileLock.ts"

/**
 * Locks the database file against all other processes until the scope closes, and empties its write-ahead log, so that
 * all of its data is in one file. Returns false if another process has it open. Fails if the file is damaged, because such a
 * file cannot be locked.
 */
export const acquire = (filename: string): Effect.Effect<boolean, StorageError, Scope.Scope> =>
  tryLock(filename, {}, "lock the database", (driver) => {
    // Before the exclusive mode, in which the journal of this change would remain as a file.
    if (driver.pragma("journal_mode = DELETE", { simple: true }) !== "delete") return false
    driver.pragma("locking_mode = EXCLUSIVE")
    driver.exec("BEGIN EXCLUSIVE")
    // Another process may have turned on the log again in between.
    return driver.pragma("journal_mode", { simple: true }) === "delete"
  })
