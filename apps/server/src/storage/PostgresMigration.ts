import * as Inspection from "@community-messaging/storage-postgres/Inspection"
import * as Migrations from "@community-messaging/storage-postgres/Migrations"
import type { UnknownSchemaVersion } from "@community-messaging/storage-sql/SchemaVersion"
import type * as FileSystem from "@effect/platform/FileSystem"
import { Effect, Option } from "effect"
import * as DatabaseUrl from "../configuration/DatabaseUrl.ts"
import type { DatabaseConfiguration } from "../configuration/StorageSettings.ts"
import * as PostgresStorage from "./PostgresStorage.ts"
import type { Migrated } from "./SqliteMigration.ts"

/** Migrates the PostgreSQL database. */
export const migrate = (
  configuration: DatabaseConfiguration
): Effect.Effect<
  Migrated,
  | Migrations.SchemaNotMigrated
  | UnknownSchemaVersion
  | PostgresStorage.DatabaseUnusable,
  FileSystem.FileSystem
> =>
  Effect.gen(function*() {
    yield* PostgresStorage.requireFiles(configuration)
    const { schemaVersion } = yield* Inspection.inspect(configuration)
    yield* Migrations.migrate(configuration)
    return {
      database: `${DatabaseUrl.location(configuration.url)}, schema ${configuration.schema}`,
      from: Option.getOrElse(schemaVersion, () => 0),
      to: Migrations.SCHEMA_VERSION
    }
  }).pipe(
    Effect.catchTag("StorageError", (error) => Effect.fail(PostgresStorage.unusable(configuration, error)))
  )
