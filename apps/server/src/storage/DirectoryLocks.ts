import * as FileLock from "@community-messaging/storage-sqlite/FileLock"
import * as WorkerLock from "@community-messaging/storage-sqlite/WorkerLock"
import * as FileSystem from "@effect/platform/FileSystem"
import * as Path from "@effect/platform/Path"
import { Effect } from "effect"
import * as DataDirectory from "./DataDirectory.ts"

/** The names of the locks in a data directory: the folder with those of all processes, and two files of demos. */
export const LOCKS = { processes: WorkerLock.LOCK_FOLDER, demo: "demo.lock", demoStart: "demo-start.lock" } as const

const folderIn = (directory: string) => Effect.map(Path.Path, (path) => path.join(directory, LOCKS.processes))

/** Acquires the lock of all that use the data, until the scope ends. Fails with this reason if another process has it. */
const acquireUse = (
  directory: string,
  { mode, reason }: { readonly mode: FileLock.LockMode; readonly reason: string }
) =>
  Effect.gen(function*() {
    const path = yield* Path.Path
    const folder = yield* folderIn(directory)
    yield* DataDirectory.create(folder)
    if (yield* FileLock.acquire(path.join(folder, "use.lock"), mode)) return
    return yield* new DataDirectory.DataDirectoryUnusable({ path: directory, reason })
  }).pipe(
    Effect.catchTags({
      BadArgument: (error) => DataDirectory.unusable(directory, error),
      SystemError: (error) => DataDirectory.unusable(directory, error),
      StorageError: ({ cause }) => DataDirectory.unusable(directory, cause)
    })
  )

/**
 * Uses the data together with other processes until the scope ends. Returns the database file. Fails while another process
 * restores a backup, and if the file has lost its content.
 */
export const share = (directory: string) =>
  acquireUse(directory, { mode: "shared", reason: "a backup is being restored into it" }).pipe(
    Effect.zipRight(DataDirectory.requireContent(directory)),
    Effect.zipRight(DataDirectory.databaseFile(directory))
  )

/** Excludes all other processes of this program from the data until the scope ends. Fails if one uses it. */
export const alone = (directory: string) =>
  acquireUse(directory, { mode: "exclusive", reason: "a server or another command uses it: stop it first" })

/** Returns how many worker numbers of the data directory are taken. Changes nothing. */
export const takenWorkerNumbers = (directory: string) =>
  Effect.gen(function*() {
    const files = yield* FileSystem.FileSystem
    const path = yield* Path.Path
    const folder = yield* folderIn(directory)
    if (!(yield* files.exists(folder))) return 0
    const locks = (yield* files.readDirectory(folder)).filter((name) => /^\d+\.lock$/.test(name))
    return (yield* Effect.filter(locks, (name) => FileLock.isHeld(path.join(folder, name)))).length
  })
