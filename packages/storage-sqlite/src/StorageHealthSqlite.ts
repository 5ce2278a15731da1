import { StorageError } from "@community-messaging/domain/shared-kernel/StorageError"
import { StorageHealth } from "@community-messaging/domain/shared-kernel/StorageHealth"
import type { Database } from "@community-messaging/storage-sql/Database"
import * as StorageHealthSql from "@community-messaging/storage-sql/StorageHealthSql"
import { Effect, Layer } from "effect"
import { SCHEMA_VERSION } from "./Migrations.ts"
import { SqliteFile } from "./SqliteDatabase.ts"

/**
 * `StorageHealth` on SQLite. If the file or its log is removed, replaced or hidden by a mount, SQLite writes to the old one
 * without an error until the process ends, and then all is lost.
 */
export const layer: Layer.Layer<StorageHealth, never, Database | SqliteFile> = Layer.effect(
  StorageHealth,
  Effect.map(Effect.all([StorageHealth, SqliteFile]), ([health, { isInPlace }]) => ({
    ...health,
    write: Effect.flatMap(isInPlace, (inPlace) =>
      inPlace
        ? health.write
        : new StorageError({ operation: "find the files of the database: one was removed or replaced" }))
  }))
).pipe(Layer.provide(StorageHealthSql.layer(SCHEMA_VERSION)))
