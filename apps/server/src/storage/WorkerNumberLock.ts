import { MAX_WORKERS } from "@community-messaging/domain/shared-kernel/WorkerNumber"
import * as FileLock from "@community-messaging/storage-sqlite/FileLock"
import * as FileSystem from "@effect/platform/FileSystem"
import * as Path from "@effect/platform/Path"
import { Effect } from "effect"
import { DataDirectoryUnusable } from "./DataDirectory.ts"
import * as LockFolder from "./LockFolder.ts"

/** Returns how many worker numbers of the data directory are taken. Changes nothing. */
export const taken = (directory: string) =>
  Effect.gen(function*() {
    const files = yield* FileSystem.FileSystem
    const path = yield* Path.Path
    const folder = yield* LockFolder.of(directory)
    if (!(yield* files.exists(folder))) return 0
    const locks = (yield* files.readDirectory(folder)).filter((name) => /^\d+\.lock$/.test(name))
    return (yield* Effect.filter(locks, (name) => FileLock.isHeld(path.join(folder, name)))).length
  })

/**
 * Acquires the smallest snowflake worker number that no other process on the same data directory has, until the scope
 * ends.
 *
 * Processes that share a database must not generate equal ids, so each needs its own worker number. A process has a
 * number while it has the lock on the file with that number.
 */
export const acquire = (directory: string) =>
  LockFolder.acquireIn(directory, (file) =>
    Effect.gen(function*() {
      for (let worker = 0; worker < MAX_WORKERS; worker += 1) {
        if (yield* FileLock.acquire(file(`${worker}.lock`))) return worker
      }
      return yield* new DataDirectoryUnusable({ path: directory, reason: `${MAX_WORKERS} processes use it already` })
    }))
