import type { StorageError } from "@community-messaging/domain/shared-kernel/StorageError"
import type { UnknownSchemaVersion } from "@community-messaging/storage-sql/SchemaVersion"
import * as DatabaseCheck from "@community-messaging/storage-sqlite/DatabaseCheck"
import * as SqliteMigrations from "@community-messaging/storage-sqlite/Migrations"
import * as SqliteDatabase from "@community-messaging/storage-sqlite/SqliteDatabase"
import type { PlatformError } from "@effect/platform/Error"
import * as FileSystem from "@effect/platform/FileSystem"
import type * as Path from "@effect/platform/Path"
import { Duration, Effect } from "effect"
import * as DataDirectory from "./DataDirectory.ts"
import * as DirectoryUse from "./DirectoryUse.ts"

/** The result of a migration. */
export interface Migrated {
  /** The database, for people. */
  readonly database: string
  /** The version of the schema before; 0 if there was none. */
  readonly from: number
  readonly to: number
}

/** How long to wait for another process that writes. */
const LOCK_TIMEOUT = Duration.seconds(30)

/** Migrates the SQLite database in the folder. Creates one if there is none. */
export const migrate = (
  directory: string
): Effect.Effect<
  Migrated,
  | DataDirectory.DataDirectoryUnusable
  | DatabaseCheck.DatabaseInvalid
  | PlatformError
  | UnknownSchemaVersion
  | StorageError,
  FileSystem.FileSystem | Path.Path
> =>
  Effect.scoped(Effect.gen(function*() {
    yield* DataDirectory.prepare(directory)
    yield* DirectoryUse.share(directory)
    yield* DataDirectory.requireContent(directory)
    const files = yield* FileSystem.FileSystem
    const file = yield* DataDirectory.databaseFile(directory)
    const from = (yield* files.exists(file)) ? yield* DatabaseCheck.identify(file) : 0
    yield* SqliteDatabase.prepare(file, LOCK_TIMEOUT)
    return { database: file, from, to: SqliteMigrations.SCHEMA_VERSION }
  }))
