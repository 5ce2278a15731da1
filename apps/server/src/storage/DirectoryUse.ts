import { type FileSystem, Path } from "@effect/platform"
import { Effect, type Scope } from "effect"
import * as DataDirectory from "./DataDirectory.ts"
import * as FileLock from "./FileLock.ts"

const acquire = (
  directory: string,
  mode: FileLock.LockMode,
  reason: string
): Effect.Effect<
  void,
  DataDirectory.DataDirectoryUnusable,
  FileSystem.FileSystem | Path.Path | Scope.Scope
> =>
  Effect.gen(function*() {
    const path = yield* Path.Path
    const folder = path.join(directory, "workers")
    yield* DataDirectory.create(folder)
    if (!(yield* FileLock.acquire(path.join(folder, "use.lock"), mode))) {
      return yield* new DataDirectory.DataDirectoryUnusable({ path: directory, reason })
    }
  }).pipe(
    Effect.catchTags({
      BadArgument: (error) => DataDirectory.unusable(directory, error),
      SystemError: (error) => DataDirectory.unusable(directory, error),
      FileNotLockable: ({ cause }) => DataDirectory.unusable(directory, cause)
    })
  )

/** Uses the data together with other processes until the scope ends. Fails while another process restores a backup. */
export const share = (directory: string) => acquire(directory, "shared", "a backup is being restored into it")

/** Keeps all other processes of this program from the data until the scope ends. Fails if one uses it. */
export const alone = (directory: string) =>
  acquire(directory, "exclusive", "a server or another command uses it: stop it first")
