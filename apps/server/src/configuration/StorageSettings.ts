import { DEFAULT_POOL_SIZE, DEFAULT_SCHEMA } from "@community-messaging/storage-postgres/PostgresOptions"
import { Config, ConfigError, DateTime, Either, Option, type Redacted } from "effect"
import { databaseUrl, schemaName } from "./DatabaseUrl.ts"
import * as Setting from "./Setting.ts"
import { oneOf, onOrOff, wholeNumber } from "./SettingText.ts"

/** The settings of commands that access data. */
export const storageSettings = {
  storage: Setting.make({
    name: "STORAGE",
    description:
      "Storage: sqlite (an SQLite database), postgres (a PostgreSQL database, for one server or many) or memory (data is lost when the process ends).",
    fallback: "sqlite",
    parse: oneOf("sqlite", "postgres", "memory")
  }),
  dataDirectory: Setting.make({
    name: "DATA_DIR",
    description: "Folder of the database. Created if it does not exist.",
    fallback: ".data",
    parse: Either.right
  }),
  databaseUrl: Setting.makeOptional({
    name: "DATABASE_URL",
    description:
      "PostgreSQL database, for STORAGE=postgres: postgres://USER:PASSWORD@HOST:PORT/DATABASE, with ?sslmode=verify-full for TLS.",
    fallback: "none",
    parse: databaseUrl,
    secret: true
  }),
  schema: Setting.make({
    name: "SCHEMA",
    description: "Schema of the tables in the PostgreSQL database. Created if it does not exist.",
    fallback: DEFAULT_SCHEMA,
    parse: schemaName
  }),
  poolSize: Setting.make({
    name: "POOL_SIZE",
    description:
      "Maximum number of connections of this process to the PostgreSQL database, besides one for events. At least 2: one is for reads.",
    fallback: String(DEFAULT_POOL_SIZE),
    parse: wholeNumber(2, 1000)
  }),
  migrate: Setting.make({
    name: "MIGRATE",
    description:
      "Whether the server migrates the database when it starts. With off, only the command `migrate` does this, so that you can make a backup first, or use a role with more rights.",
    fallback: "on",
    parse: onOrOff
  }),
  snowflakeEpoch: Setting.make({
    name: "SNOWFLAKE_EPOCH",
    description: "Epoch of the ids. Never change it for existing data.",
    fallback: "2015-01-01T00:00:00Z",
    parse: (text) =>
      Either.fromOption(
        Option.filterMap(DateTime.make(text), (moment) =>
          /^\d{4}-\d{2}-\d{2}/.test(text) && moment.epochMillis >= 0 && DateTime.unsafeIsPast(moment)
            ? Option.some(moment.epochMillis)
            : Option.none()),
        // Ids last for 69 years from their epoch, so until 2039 or longer.
        () =>
          "a time from 1970 to now by the clock of this machine, such as 2015-01-01T00:00:00Z"
      )
  })
}

/** The PostgreSQL database of the service. */
export interface DatabaseConfiguration {
  /** With the password. */
  readonly url: Redacted.Redacted
  readonly schema: string
  readonly poolSize: number
}

/** The configuration of commands that access data. */
export type StorageConfiguration =
  & {
    readonly dataDirectory: string
    /** Unix milliseconds. */
    readonly snowflakeEpoch: number
    /** Whether a database is created if it does not exist, and an older one is migrated. */
    readonly migrate: boolean
  }
  & (
    | { readonly storage: "memory" | "sqlite" }
    | { readonly storage: "postgres"; readonly database: DatabaseConfiguration }
  )

/** The storage, by its settings. */
export const StorageConfiguration: Config.Config<StorageConfiguration> = Config.all(storageSettings).pipe(
  Config.mapOrFail((
    { databaseUrl: url, poolSize, schema, storage, ...others }
  ): Either.Either<StorageConfiguration, ConfigError.ConfigError> => {
    if (storage !== "postgres") return Either.right({ ...others, storage })
    return Option.isSome(url)
      ? Either.right({ ...others, storage, database: { url: url.value, schema, poolSize } })
      : Either.left(ConfigError.MissingData(["DATABASE_URL"], "must be set if STORAGE is postgres"))
  })
)

/** The flags of commands that access data. */
export const storageFlags = Setting.flags(Object.values(storageSettings))
