import * as FileSystem from "@effect/platform/FileSystem"
import type * as Path from "@effect/platform/Path"
import { Effect, Option, Redacted } from "effect"
import type { ServerConfiguration } from "../configuration/Configuration.ts"
import * as Setting from "../configuration/Setting.ts"
import type { StorageConfiguration } from "../configuration/StorageSettings.ts"
import * as ProgramPart from "../ProgramPart.ts"
import * as DataDirectory from "../storage/DataDirectory.ts"
import * as DirectoryLocks from "../storage/DirectoryLocks.ts"
import { database } from "./DatabaseCheck.ts"
import { type Finding, ok, problem, warning } from "./Finding.ts"
import * as FolderCheck from "./FolderCheck.ts"
import * as ProcessCheck from "./ProcessCheck.ts"

/** Checks the folder of a database, and the database. */
export const folder = (
  directory: string,
  expected: { readonly migrate: boolean; readonly snowflakeEpoch: number }
) =>
  Effect.gen(function*() {
    const files = yield* FileSystem.FileSystem
    if (!(yield* files.exists(directory))) {
      return [warning("data", `${directory} does not exist`, "check DATA_DIR. The first start creates it")]
    }
    if ((yield* files.stat(directory)).type !== "Directory") {
      return [problem("data", `${directory} is not a folder`, "set DATA_DIR to a folder")]
    }
    const file = yield* DataDirectory.databaseFile(directory)
    const exists = yield* files.exists(file)
    const bytes = exists ? Number((yield* files.stat(file)).size) : 0
    return [
      exists && bytes === 0
        ? problem("data", `${file} is empty`, "restore a backup, or remove the file to begin without data")
        : exists
        ? ok("data", file)
        : warning("data", `${directory} has no database`, "check DATA_DIR. The first start creates one"),
      yield* FolderCheck.rights(directory),
      yield* FolderCheck.disk(directory, bytes),
      ...bytes > 0 ? yield* database(file, expected) : [],
      yield* Effect.match(DirectoryLocks.takenWorkerNumbers(directory), {
        onSuccess: ProcessCheck.workers,
        onFailure: (error) => FolderCheck.unreadable("workers", directory, error)
      })
    ]
  }).pipe(Effect.catchAll((error) => Effect.succeed([FolderCheck.unreadable("data", directory, error)])))

const ofStorage = (data: StorageConfiguration, isSharded: boolean) => {
  switch (data.storage) {
    case "memory":
      return Effect.succeed([ok("data", "STORAGE is memory: there is nothing on a disk")])
    case "sqlite":
      return folder(data.dataDirectory, data)
    case "postgres":
      return Effect.flatMap(
        ProgramPart.load(() => import("./PostgresCheck.ts")),
        (loaded) => loaded.database(data.database, data, isSharded)
      )
  }
}

/** Checks that Redis counts, by a key that expires after a second. */
export const redis = (url: Redacted.Redacted): Effect.Effect<Finding> =>
  Effect.gen(function*() {
    const location = Setting.withoutUserInfo(Redacted.value(url))
    const { connect } = yield* ProgramPart.load(() => import("../rate-limits/RedisConnection.ts"))
    return yield* Effect.match(Effect.scoped(connect(url)), {
      onSuccess: () => ok("redis", `${location} counts requests`),
      onFailure: ({ reason }) =>
        warning("redis", `${location}: ${reason}`, "check REDIS_URL. Without it, each server counts requests alone")
    })
  })

/**
 * Checks the data and the machine of a server with this configuration. Changes no data, so that it may run beside servers.
 */
export const check = (
  { cluster, data, maxConnections, redisUrl }: ServerConfiguration
): Effect.Effect<ReadonlyArray<Finding>, never, FileSystem.FileSystem | Path.Path> =>
  Effect.gen(function*() {
    const ofData = yield* ofStorage(data, Option.isSome(cluster))
    return [
      ok("settings", "all valid"),
      ...ofData,
      ...yield* Effect.forEach(Option.toArray(redisUrl), redis),
      yield* ProcessCheck.openFiles(maxConnections)
    ]
  })
