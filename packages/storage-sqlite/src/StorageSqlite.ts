import type { StorageError } from "@community-messaging/domain/shared-kernel/StorageError"
import type { StoragePorts } from "@community-messaging/domain/StoragePorts"
import type { Database } from "@community-messaging/storage-sql/Database"
import * as StorageSql from "@community-messaging/storage-sql/StorageSql"
import { Layer } from "effect"
import * as DeletedDataSqlite from "./DeletedDataSqlite.ts"
import * as MemberDirectorySqlite from "./MemberDirectorySqlite.ts"
import type { SchemaNotMigrated, UnknownSchemaVersion } from "./Migrations.ts"
import * as SqliteDatabase from "./SqliteDatabase.ts"
import * as StorageHealthSqlite from "./StorageHealthSqlite.ts"

/** All storage ports over an open database. */
export const ports: Layer.Layer<
  StoragePorts,
  never,
  Database | SqliteDatabase.SqliteFile
> = Layer.mergeAll(
  StorageSql.layer,
  MemberDirectorySqlite.layer,
  DeletedDataSqlite.layer,
  StorageHealthSqlite.layer
)

/**
 * A storage in one SQLite file, which several processes may share. A missing file is created and an older schema is
 * migrated, unless `migrate` is false: then both are errors. A newer schema is always an error.
 */
export const layer = (
  options: SqliteDatabase.DatabaseOptions
): Layer.Layer<StoragePorts, StorageError | SchemaNotMigrated | UnknownSchemaVersion> =>
  Layer.provide(ports, SqliteDatabase.layer(options))
