import type { StorageError } from "@community-messaging/domain/shared-kernel/StorageError"
import type * as FileSystem from "@effect/platform/FileSystem"
import * as Path from "@effect/platform/Path"
import { Effect, type Scope } from "effect"
import * as DataDirectory from "./DataDirectory.ts"

/** Returns the folder in the data directory that has the locks of its processes. */
export const of = (directory: string): Effect.Effect<string, never, Path.Path> =>
  Effect.map(Path.Path, (path) => path.join(directory, "workers"))

/** Creates the folder and acquires locks in it. What fails makes the data directory unusable. */
export const acquireIn = <A>(
  directory: string,
  acquire: (
    file: (name: string) => string
  ) => Effect.Effect<A, DataDirectory.DataDirectoryUnusable | StorageError, Scope.Scope>
): Effect.Effect<A, DataDirectory.DataDirectoryUnusable, FileSystem.FileSystem | Path.Path | Scope.Scope> =>
  Effect.gen(function*() {
    const path = yield* Path.Path
    const folder = yield* of(directory)
    yield* DataDirectory.create(folder)
    return yield* acquire((name) => path.join(folder, name))
  }).pipe(
    Effect.catchTags({
      BadArgument: (error) => DataDirectory.unusable(directory, error),
      SystemError: (error) => DataDirectory.unusable(directory, error),
      StorageError: ({ cause }) => DataDirectory.unusable(directory, cause)
    })
  )
