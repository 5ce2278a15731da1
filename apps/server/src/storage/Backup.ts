import type { StorageError } from "@community-messaging/domain/shared-kernel/StorageError"
import * as DatabaseCheck from "@community-messaging/storage-sqlite/DatabaseCheck"
import * as DatabaseCopy from "@community-messaging/storage-sqlite/DatabaseCopy"
import { isDamage } from "@community-messaging/storage-sqlite/SqliteFailure"
import * as Path from "@effect/platform/Path"
import { Effect } from "effect"
import * as DataDirectory from "./DataDirectory.ts"
import * as DirectoryLocks from "./DirectoryLocks.ts"
import * as NewFile from "./NewFile.ts"

/** Gets the progress of a backup or a restore. */
export interface Progress {
  readonly copied: (state: DatabaseCopy.CopyProgress) => void
  readonly checking: Effect.Effect<void>
}

/** The files of the database. */
export const databaseFiles = (directory: string) =>
  Effect.map(
    DataDirectory.databaseFile(directory),
    (file) => ["", ...NewFile.BESIDE_DATABASE].map((suffix) => `${file}${suffix}`)
  )

/**
 * The files that a backup must not replace: those of the database, and the locks of the processes that use it. If a lock's
 * file were replaced, two processes could have the same lock.
 */
export const keptFiles = (directory: string) =>
  Effect.gen(function*() {
    const path = yield* Path.Path
    const locks = Object.values(DirectoryLocks.LOCKS).map((name) => path.join(directory, name))
    return [...yield* databaseFiles(directory), ...locks]
  })

/** Copies a database into an empty file and checks the copy. Returns the version of its schema. */
export const copyAndCheck = (
  source: { readonly filename: string; readonly readonly: boolean },
  target: string,
  { checking, copied }: Progress
) =>
  Effect.gen(function*() {
    yield* DatabaseCopy.copy(source, target, copied)
    yield* checking
    return yield* DatabaseCheck.check(target)
  })

/**
 * Writes a backup of the database in the folder to a file, while processes use the database. The backup is the state at
 * the beginning. It gets its name only after the check. Does not migrate the database. Returns the version of its schema.
 */
export const run = (
  directory: string,
  file: string,
  options: { readonly replace: boolean },
  progress: Progress
) =>
  Effect.scoped(Effect.gen(function*() {
    const filename = yield* DirectoryLocks.share(directory)
    const keep = yield* keptFiles(directory)
    return yield* NewFile.write(
      file,
      { ...options, keep },
      (temporary) =>
        Effect.catchIf(
          copyAndCheck({ filename, readonly: false }, temporary, progress),
          (error): error is StorageError => error._tag === "StorageError" && isDamage(error),
          (error) => new NewFile.FileRefused({ path: filename, reason: DataDirectory.messages(error).join(": ") })
        )
    )
  }))
