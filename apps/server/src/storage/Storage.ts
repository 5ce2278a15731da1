import { realTime } from "@community-messaging/domain/shared-kernel/RealTime"
import { SnowflakeEpoch } from "@community-messaging/domain/shared-kernel/Snowflake"
import {
  type SnowflakeEpochMismatch,
  SnowflakeGenerator
} from "@community-messaging/domain/shared-kernel/SnowflakeGenerator"
import type { StoragePorts } from "@community-messaging/domain/StoragePorts"
import type { MemberIndexes } from "@community-messaging/member-index/GuildIndexes"
import * as StorageMemory from "@community-messaging/storage-memory/StorageMemory"
import type { SchemaNotMigrated, UnknownSchemaVersion } from "@community-messaging/storage-sql/SchemaVersion"
import * as DatabaseCheck from "@community-messaging/storage-sqlite/DatabaseCheck"
import { SCHEMA_VERSION } from "@community-messaging/storage-sqlite/Migrations"
import * as SqliteDatabase from "@community-messaging/storage-sqlite/SqliteDatabase"
import * as StorageSqlite from "@community-messaging/storage-sqlite/StorageSqlite"
import * as WorkerLock from "@community-messaging/storage-sqlite/WorkerLock"
import * as FileSystem from "@effect/platform/FileSystem"
import type * as Path from "@effect/platform/Path"
import { Effect, Layer, Predicate } from "effect"
import type { StorageConfiguration } from "../configuration/StorageSettings.ts"
import * as ProgramPart from "../ProgramPart.ts"
import * as DataDirectory from "./DataDirectory.ts"
import * as DirectoryLocks from "./DirectoryLocks.ts"
import type * as PostgresStorage from "./PostgresStorage.ts"

/** The errors of a storage that cannot be used. */
export type StorageUnusable =
  | DataDirectory.DataDirectoryUnusable
  | PostgresStorage.DatabaseUnusable
  | SchemaNotMigrated
  | SnowflakeEpochMismatch
  | UnknownSchemaVersion

/** Memory storage. No other process shares it, so any worker number works. */
const memory = Layer.provideMerge(SnowflakeGenerator.layer(0), StorageMemory.layer)

/** SQLite storage in the data directory, with ids that are unique among all processes on that directory. */
const sqlite = (directory: string, migrate: boolean) =>
  Layer.unwrapScoped(Effect.gen(function*() {
    yield* DataDirectory.prepare(directory)
    const filename = yield* DirectoryLocks.share(directory)
    return Layer.provideMerge(SnowflakeGenerator.layerOfWorker, StorageSqlite.layer({ filename, migrate })).pipe(
      Layer.provide(WorkerLock.layer(filename))
    )
  })).pipe(
    Layer.mapError((error) => error._tag === "StorageError" ? DataDirectory.unusable(directory, error) : error)
  )

/** The PostgreSQL storage, its snowflake generator, and the indexes of its member search. Loads them and their driver. */
export const postgres = (
  { database, migrate, snowflakeEpoch }: Extract<StorageConfiguration, { readonly storage: "postgres" }>
): Layer.Layer<StoragePorts | MemberIndexes | SnowflakeGenerator, StorageUnusable> =>
  Layer.unwrapEffect(
    Effect.map(ProgramPart.load(() => import("./PostgresStorage.ts")), (loaded) => loaded.layer(database, migrate))
  ).pipe(Layer.provideMerge(Layer.succeed(SnowflakeEpoch, snowflakeEpoch)))

/** The configured storage and its snowflake generator. */
export const layer = (
  configuration: StorageConfiguration
): Layer.Layer<StoragePorts | SnowflakeGenerator, StorageUnusable, FileSystem.FileSystem | Path.Path> => {
  const epoch = Layer.succeed(SnowflakeEpoch, configuration.snowflakeEpoch)
  switch (configuration.storage) {
    case "memory":
      return Layer.provideMerge(Layer.orDie(memory), epoch)
    case "sqlite":
      return Layer.provideMerge(sqlite(configuration.dataDirectory, configuration.migrate), epoch)
    case "postgres":
      return postgres(configuration)
  }
}

/**
 * Opens the SQLite database in the data directory, which creates or migrates it. Returns its file, and the versions of the
 * schema before and after; 0 if there was none.
 */
export const migrateSqlite = (directory: string) =>
  Effect.scoped(Effect.gen(function*() {
    yield* DataDirectory.prepare(directory)
    const filename = yield* DirectoryLocks.share(directory)
    const isThere = yield* Effect.flatMap(FileSystem.FileSystem, (files) => files.exists(filename))
    // Another process may be creating its tables.
    const identify = Effect.retry(DatabaseCheck.identify(filename), {
      schedule: DataDirectory.CREATION,
      while: Predicate.isTagged("DatabaseInvalid")
    })
    const from = isThere ? yield* Effect.withClock(identify, realTime) : 0
    yield* Layer.build(SqliteDatabase.layer({ filename }))
    return { database: filename, from, to: SCHEMA_VERSION }
  }))
