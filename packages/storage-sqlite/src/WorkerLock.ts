import { StorageError } from "@community-messaging/domain/shared-kernel/StorageError"
import { Effect, type Scope } from "effect"
import { mkdirSync } from "node:fs"
import { basename, dirname, join } from "node:path"
import * as FileLock from "./FileLock.ts"

/** The name that the server gives its database. It keeps its numbers in the folder `workers` beside it. */
const OF_SERVER = "community-messaging.sqlite"

/** The file whose lock keeps the number, in its folder. */
const lockFile = (database: string, worker: number) =>
  Effect.try({
    try: () => {
      if (basename(database) !== OF_SERVER) return `${database}.worker-${worker}.lock`
      const folder = join(dirname(database), "workers")
      mkdirSync(folder, { recursive: true, mode: 0o700 })
      return join(folder, `${worker}.lock`)
    },
    catch: (cause) => new StorageError({ operation: "make the folder of the locks", cause })
  })

/**
 * Keeps a worker number on a database file until the scope closes. Returns false if a service has it, in this process or in
 * another one, or a server whose database it is: both would generate equal ids, and overwrite what the other one created.
 */
export const acquire = (
  database: string,
  worker: number
): Effect.Effect<boolean, StorageError, Scope.Scope> =>
  Effect.flatMap(lockFile(database, worker), (file) => FileLock.acquire(file))
