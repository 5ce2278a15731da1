import { StorageError } from "@community-messaging/domain/shared-kernel/StorageError"
import * as WorkerNumber from "@community-messaging/domain/shared-kernel/WorkerNumber"
import { Effect, Layer, type Scope } from "effect"
import { existsSync, mkdirSync, realpathSync } from "node:fs"
import { basename, dirname, join } from "node:path"
import * as FileLock from "./FileLock.ts"

/** The file name of a server's database. */
export const SERVER_DATABASE = "community-messaging.sqlite"

/** The folder beside a server's database that has its lock files. Another database has them beside itself. */
export const LOCK_FOLDER = "workers"

/** Returns the database that a symbolic link points to. A link with the name of a server's database has its own locks. */
const resolved = (database: string) =>
  basename(database) !== SERVER_DATABASE && existsSync(database) ? realpathSync(database) : database

/** Returns the file whose lock reserves the number. */
const lockFile = (filename: string, worker: number) =>
  Effect.try({
    try: () => {
      const database = resolved(filename)
      if (basename(database) !== SERVER_DATABASE) return `${database}.worker-${worker}.lock`
      const folder = join(dirname(database), LOCK_FOLDER)
      mkdirSync(folder, { recursive: true, mode: 0o700 })
      return join(folder, `${worker}.lock`)
    },
    catch: (cause) => new StorageError({ operation: "make the folder of the locks", cause })
  })

/**
 * Reserves a worker number on a database file until the scope closes. Returns false if another service on the file, or the
 * server of the file, has the number: both would generate equal ids and overwrite each other's entities.
 */
export const acquire = (
  database: string,
  worker: number
): Effect.Effect<boolean, StorageError, Scope.Scope> =>
  Effect.flatMap(lockFile(database, worker), (file) => FileLock.acquire(file))

/** Reserves the smallest free worker number that is not below `worker`. Returns it. */
const acquireFrom = (database: string, worker: number): Effect.Effect<number, StorageError, Scope.Scope> =>
  worker === WorkerNumber.MAX_WORKERS
    ? new StorageError({
      operation: "reserve a worker number",
      cause: new Error(`running processes have all ${WorkerNumber.MAX_WORKERS}`)
    })
    : Effect.flatMap(
      acquire(database, worker),
      (isFree) => isFree ? Effect.succeed(worker) : acquireFrom(database, worker + 1)
    )

/**
 * The smallest worker number that no other process on the database file has. It is reserved for as long as the layer is open.
 * A database in memory belongs to one process, which has 0.
 */
export const layer = (database: string): Layer.Layer<WorkerNumber.WorkerNumber, StorageError> =>
  database === ":memory:"
    ? WorkerNumber.fixed(0)
    : Layer.unwrapScoped(Effect.map(acquireFrom(database, 0), WorkerNumber.fixed))
