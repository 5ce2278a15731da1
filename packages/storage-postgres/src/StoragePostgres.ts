import type { StorageError } from "@community-messaging/domain/shared-kernel/StorageError"
import type { WorkerNumber } from "@community-messaging/domain/shared-kernel/WorkerNumber"
import type { StoragePorts } from "@community-messaging/domain/StoragePorts"
import type { MemberIndexes } from "@community-messaging/member-index/GuildIndexes"
import type { Database } from "@community-messaging/storage-sql/Database"
import * as StorageHealthSql from "@community-messaging/storage-sql/StorageHealthSql"
import * as StorageSql from "@community-messaging/storage-sql/StorageSql"
import { Layer } from "effect"
import * as DeletedDataPostgres from "./DeletedDataPostgres.ts"
import * as MemberDirectoryPostgres from "./MemberDirectoryPostgres.ts"
import { SCHEMA_VERSION, type SchemaNotMigrated, type UnknownSchemaVersion } from "./Migrations.ts"
import * as PostgresDatabase from "./PostgresDatabase.ts"
import type { PostgresOptions } from "./PostgresOptions.ts"
import * as WorkerLeases from "./WorkerLeases.ts"

/** All storage ports over an open database, and the indexes of `MemberDirectory`. */
export const ports: Layer.Layer<
  StoragePorts | MemberIndexes,
  never,
  Database | PostgresDatabase.PostgresServer
> = Layer.mergeAll(
  StorageSql.layer,
  MemberDirectoryPostgres.layer,
  DeletedDataPostgres.layer,
  StorageHealthSql.layer(SCHEMA_VERSION)
)

/**
 * A storage in a PostgreSQL database, which several servers may share. A missing schema is created and an older
 * one is migrated, unless `migrate` is false: then both are errors. A newer schema is always an error. Also provides a
 * worker number for ids that no other process on the database has.
 */
export const layer = (
  options: PostgresOptions
): Layer.Layer<StoragePorts | MemberIndexes | WorkerNumber, StorageError | UnknownSchemaVersion | SchemaNotMigrated> =>
  Layer.provide(Layer.merge(ports, WorkerLeases.layer()), PostgresDatabase.layer(options))
