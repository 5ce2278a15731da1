import { MAX_WORKERS } from "@community-messaging/domain/shared-kernel/SnowflakeGenerator"
import { type FileSystem, Path } from "@effect/platform"
import { Effect, type Scope } from "effect"
import * as DataDirectory from "./DataDirectory.ts"
import * as FileLock from "./FileLock.ts"

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
    const folder = path.join(directory, "workers")
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
