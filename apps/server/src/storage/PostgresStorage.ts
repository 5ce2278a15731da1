import {
  type SnowflakeEpochMismatch,
  SnowflakeGenerator
} from "@community-messaging/domain/shared-kernel/SnowflakeGenerator"
import { StorageError } from "@community-messaging/domain/shared-kernel/StorageError"
import type { StoragePorts } from "@community-messaging/domain/StoragePorts"
import type { MemberIndexes } from "@community-messaging/member-index/GuildIndexes"
import * as ConnectionPool from "@community-messaging/storage-postgres/ConnectionPool"
import * as Inspection from "@community-messaging/storage-postgres/Inspection"
import * as Migrations from "@community-messaging/storage-postgres/Migrations"
import * as PostgresOptions from "@community-messaging/storage-postgres/PostgresOptions"
import * as StoragePostgres from "@community-messaging/storage-postgres/StoragePostgres"
import type { SchemaNotMigrated, UnknownSchemaVersion } from "@community-messaging/storage-sql/SchemaVersion"
import { Data, Effect, Layer, Option, Predicate } from "effect"
import { Client } from "pg"
import * as DatabaseUrl from "../configuration/DatabaseUrl.ts"
import type { DatabaseConfiguration } from "../configuration/StorageSettings.ts"

/** The PostgreSQL database in DATABASE_URL cannot be used. */
export class DatabaseUnusable extends Data.TaggedError("DatabaseUnusable")<{
  /** `host:port/database`: without user and password. */
  readonly location: string
  readonly reason: string
}> {}

/** The innermost message of an error. A host with several addresses gives an error for each of them. */
const reasonOf = (error: unknown): string => {
  if (!Predicate.isError(error)) return String(error)
  if (error instanceof AggregateError && error.message === "") return error.errors.map(reasonOf).join(", ")
  return error.cause === undefined ? error.message : reasonOf(error.cause)
}

/** Makes the error from its cause. */
export const unusable = ({ url }: DatabaseConfiguration, error: StorageError): DatabaseUnusable =>
  new DatabaseUnusable({
    location: DatabaseUrl.location(url),
    reason: error.cause === undefined ? error.operation : `${error.operation}: ${reasonOf(error.cause)}`
  })

/** Fails if the driver cannot read a file that the URL names: a connection would throw. */
export const requireFiles = (database: DatabaseConfiguration): Effect.Effect<Client, DatabaseUnusable> =>
  Effect.try({
    try: () => new Client(ConnectionPool.clientConfig(PostgresOptions.settingsOf(database))),
    catch: (cause) => unusable(database, new StorageError({ operation: "read the files of TLS", cause }))
  })

/** PostgreSQL storage, with ids that are unique among all processes on the database. */
export const layer = (
  database: DatabaseConfiguration,
  migrate: boolean
): Layer.Layer<
  StoragePorts | MemberIndexes | SnowflakeGenerator,
  DatabaseUnusable | SchemaNotMigrated | SnowflakeEpochMismatch | UnknownSchemaVersion
> =>
  Layer.unwrapEffect(Effect.as(
    requireFiles(database),
    Layer.provideMerge(SnowflakeGenerator.layerOfWorker, StoragePostgres.layer({ ...database, migrate }))
  )).pipe(
    Layer.mapError((error) => error._tag === "StorageError" ? unusable(database, error) : error)
  )

/**
 * Creates or migrates the schema. Returns the database without the password, and the versions as `Storage.migrateSqlite`.
 */
export const migrate = (database: DatabaseConfiguration) =>
  Effect.gen(function*() {
    yield* requireFiles(database)
    const { schemaVersion } = yield* Inspection.inspect(database)
    yield* Migrations.migrate(database)
    return {
      database: `${DatabaseUrl.location(database.url)}, schema ${database.schema}`,
      from: Option.getOrElse(schemaVersion, () => 0),
      to: Migrations.SCHEMA_VERSION
    }
  }).pipe(Effect.catchTag("StorageError", (error) => unusable(database, error)))
