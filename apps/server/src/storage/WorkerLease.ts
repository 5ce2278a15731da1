import { MAX_WORKERS } from "@community-messaging/domain/shared-kernel/SnowflakeGenerator"
import { FileSystem, Path } from "@effect/platform"
import { Effect, type Scope } from "effect"
import * as DataDirectory from "./DataDirectory.ts"
import * as FileLock from "./FileLock.ts"

const folderOf = (directory: string) => Effect.map(Path.Path, (path) => path.join(directory, "workers"))

/** Returns how many worker numbers of the data directory are taken. Changes nothing. */
export const taken = (directory: string) =>
  Effect.gen(function*() {
    const files = yield* FileSystem.FileSystem
    const path = yield* Path.Path
    const folder = yield* folderOf(directory)
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
export const acquire = (
  directory: string
): Effect.Effect<
  number,
  DataDirectory.DataDirectoryUnusable,
  FileSystem.FileSystem | Path.Path | Scope.Scope
> =>
  Effect.gen(function*() {
    const path = yield* Path.Path
    const folder = yield* folderOf(directory)
    yield* DataDirectory.create(folder)

    for (let worker = 0; worker < MAX_WORKERS; worker += 1) {
      if (yield* FileLock.acquire(path.join(folder, `${worker}.lock`))) return worker
    }
    return yield* new DataDirectory.DataDirectoryUnusable({
      path: directory,
      reason: `${MAX_WORKERS} processes use it already`
    })
  }).pipe(
    Effect.catchTags({
      BadArgument: (error) => DataDirectory.unusable(directory, error),
      SystemError: (error) => DataDirectory.unusable(directory, error),
      FileNotLockable: ({ cause }) => DataDirectory.unusable(directory, cause)
    })
  )
