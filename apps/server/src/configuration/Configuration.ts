import { DaysUntilDeletion, DEFAULT_DAYS_UNTIL_DELETION } from "@community-messaging/domain/account/DeletionSchedule"
import { DEFAULT_LIMITS } from "@community-messaging/http-adapter/server/Admission"
import * as BodyMemory from "@community-messaging/http-adapter/server/BodyMemory"
import { Config, ConfigError, DateTime, Either, LogLevel, Option, type Redacted } from "effect"
import { cluster, CLUSTER_SETTINGS } from "./ClusterSettings.ts"
import { databaseUrl, schemaName } from "./DatabaseUrl.ts"
import { RATE_LIMIT_SETTINGS, rateLimits } from "./RateLimitSettings.ts"
import * as Setting from "./Setting.ts"
import {
  anyText,
  collectorUrl,
  duration,
  MAX_AGE,
  MAX_TIMER,
  oneOf,
  onOrOff,
  origins,
  orOff,
  publicUrl,
  redisUrl,
  wholeNumber
} from "./SettingText.ts"

const HOST = Setting.make({
  name: "HOST",
  description: "Address to listen on. Use 0.0.0.0 for all interfaces.",
  fallback: "127.0.0.1",
  parse: anyText
})

const PORT = Setting.make({
  name: "PORT",
  description: "Port to listen on. Use 0 for any free port.",
  fallback: "8080",
  parse: wholeNumber(0, 65_535)
})

const STORAGE = Setting.make({
  name: "STORAGE",
  description:
    "Storage: sqlite (an SQLite database), postgres (a PostgreSQL database, for one server or many) or memory (data is lost when the process ends).",
  fallback: "sqlite",
  parse: oneOf("sqlite", "postgres", "memory")
})

const DATA_DIR = Setting.make({
  name: "DATA_DIR",
  description: "Folder of the database. Created if it does not exist.",
  fallback: ".data",
  parse: anyText
})

const DATABASE_URL = Setting.makeOptional({
  name: "DATABASE_URL",
  description:
    "PostgreSQL database, for STORAGE=postgres: postgres://USER:PASSWORD@HOST:PORT/DATABASE, with ?sslmode=verify-full for TLS.",
  fallback: "none",
  parse: databaseUrl,
  secret: true
})

const SCHEMA = Setting.make({
  name: "SCHEMA",
  description: "Schema of the tables in the PostgreSQL database. Created if it does not exist.",
  fallback: "community_messaging",
  parse: schemaName
})

const POOL_SIZE = Setting.make({
  name: "POOL_SIZE",
  description: "Maximum number of connections of this process to the PostgreSQL database, besides one for events.",
  fallback: "10",
  parse: wholeNumber(1, 1000)
})

const MIGRATE = Setting.make({
  name: "MIGRATE",
  description:
    "Whether a start migrates the PostgreSQL database: on, or off if only the command `migrate` does, with rights of its own.",
  fallback: "on",
  parse: onOrOff
})

const SNOWFLAKE_EPOCH = Setting.make({
  name: "SNOWFLAKE_EPOCH",
  description: "Epoch of the ids. Never change it for existing data.",
  fallback: "2015-01-01T00:00:00Z",
  parse: (text) =>
    Either.fromOption(
      Option.filterMap(DateTime.make(text), (moment) =>
        /^\d{4}-\d{2}-\d{2}/.test(text) && moment.epochMillis >= 0 && DateTime.unsafeIsPast(moment)
          ? Option.some(moment.epochMillis)
          : Option.none()),
      // Ids have room for 69 years.
      () =>
        "a time from 1970 to now, such as 2015-01-01T00:00:00Z"
    )
})

const LOG_LEVEL = Setting.make({
  name: "LOG_LEVEL",
  description: "Minimum level of log messages.",
  fallback: "info",
  parse: (text) =>
    Either.fromNullable(
      LogLevel.allLevels.find((level) => level._tag.toLowerCase() === text.toLowerCase()),
      () => `one of ${LogLevel.allLevels.map((level) => level._tag.toLowerCase()).join(", ")}`
    )
})

const LOG_FORMAT = Setting.make({
  name: "LOG_FORMAT",
  description: "Log format: json, logfmt, pretty, or auto (pretty on a terminal, else json).",
  fallback: "auto",
  parse: oneOf("auto", "json", "logfmt", "pretty")
})

const DEFAULT_DAYS = Setting.make({
  name: "DEFAULT_DAYS_UNTIL_DELETION",
  description: "Days until an account is deleted if the request does not specify them.",
  fallback: String(DEFAULT_DAYS_UNTIL_DELETION),
  parse: (text) => Either.map(wholeNumber(1, 365)(text), (days) => DaysUntilDeletion.make(days))
})

const RATE_LIMITS = Setting.make({
  name: "RATE_LIMITS",
  description: "Whether the rate limits below apply: on or off.",
  fallback: "on",
  parse: onOrOff
})

const REDIS_URL = Setting.makeOptional({
  name: "REDIS_URL",
  description:
    "Redis in which all servers count rate limits together: redis://:PASSWORD@HOST:6379, rediss:// with TLS.",
  fallback: "none: each server counts alone",
  parse: redisUrl,
  secret: true
})

const PUBLIC_URL = Setting.makeOptional({
  name: "PUBLIC_URL",
  description: "Base URL of the service for clients, including a proxy's path prefix, without /v1.",
  fallback: "http://HOST:PORT",
  parse: publicUrl
})

const CORS_ORIGINS = Setting.makeOptional({
  name: "CORS_ORIGINS",
  description:
    "Origins whose pages may call the API from a browser: a list such as https://chat.example, or * for all.",
  fallback: "none",
  parse: origins
})

const DEMO_PAGE = Setting.make({
  name: "DEMO_PAGE",
  description:
    "Whether `serve --demo` serves /demo, which shows everything: on, off, or auto (on if only this machine can reach it).",
  fallback: "auto",
  parse: oneOf("auto", "on", "off")
})

const REQUEST_TIMEOUT = Setting.make({
  name: "REQUEST_TIMEOUT",
  description: "Maximum time to handle one request, without reading its body.",
  fallback: "10 seconds",
  parse: duration(MAX_TIMER)
})

const TRUST_PROXY = Setting.make({
  name: "TRUST_PROXY",
  description: "Number of proxies in front of the server that append to X-Forwarded-For.",
  fallback: "0",
  parse: wholeNumber(0, 10)
})

const MAX_CONNECTIONS = Setting.make({
  name: "MAX_CONNECTIONS",
  description: "Maximum number of open connections.",
  fallback: String(DEFAULT_LIMITS.maxConnections),
  parse: wholeNumber(1, 1_000_000)
})

const MAX_CONNECTIONS_PER_ADDRESS = Setting.make({
  name: "MAX_CONNECTIONS_PER_ADDRESS",
  description: "Maximum number of open connections per address. Not applied if TRUST_PROXY is set.",
  fallback: String(DEFAULT_LIMITS.maxConnectionsPerAddress),
  parse: wholeNumber(1, 1_000_000)
})

const MAX_EVENT_STREAMS_PER_KEY = Setting.make({
  name: "MAX_EVENT_STREAMS_PER_KEY",
  description: "Maximum number of open event streams per admin key.",
  fallback: "8",
  parse: wholeNumber(1, 1_000_000)
})

const CLAIM_LEASE = Setting.make({
  name: "CLAIM_LEASE",
  description: "How long a claim on due work is valid. After that, another server takes the work over.",
  fallback: "30 seconds",
  parse: duration(MAX_TIMER)
})

const EVENT_RETENTION = Setting.make({
  name: "EVENT_RETENTION",
  description: "How long events are kept.",
  fallback: "31 days",
  parse: duration(MAX_AGE)
})

const BODY_MAX_BYTES = Setting.make({
  name: "BODY_MAX_BYTES",
  description: "Maximum memory for request bodies in progress, in bytes. Beyond it, large bodies are answered 503.",
  fallback: String(BodyMemory.DEFAULT_LIMITS.total),
  parse: wholeNumber(0, Number.MAX_SAFE_INTEGER)
})

const BODY_MAX_BYTES_PER_CALLER = Setting.make({
  name: "BODY_MAX_BYTES_PER_CALLER",
  description:
    "Maximum memory for request bodies in progress per user, admin key or webhook, in bytes. Beyond it, large bodies are answered 429.",
  fallback: String(BodyMemory.DEFAULT_LIMITS.perPrincipal),
  parse: wholeNumber(0, Number.MAX_SAFE_INTEGER)
})

const MEMBER_INDEX_MAX_BYTES = Setting.make({
  name: "MEMBER_INDEX_MAX_BYTES",
  description:
    "Maximum memory for the indexes of member search, in bytes. Indexes of the least recently searched guilds are dropped first.",
  fallback: String(1024 ** 3),
  parse: wholeNumber(0, Number.MAX_SAFE_INTEGER)
})

const SHUTDOWN_TIMEOUT = Setting.make({
  name: "SHUTDOWN_TIMEOUT",
  description: "Maximum time to wait for requests in progress when the server stops.",
  fallback: "10 seconds",
  parse: duration(MAX_TIMER)
})

const METRICS_HOST = Setting.make({
  name: "METRICS_HOST",
  description: "Address to serve metrics on. They need no credentials.",
  fallback: "127.0.0.1",
  parse: anyText
})

const METRICS_PORT = Setting.make({
  name: "METRICS_PORT",
  description: "Port to serve metrics on, at /metrics, in the format of Prometheus. Use 0 for any free port.",
  fallback: "off",
  parse: orOff(wholeNumber(0, 65_535))
})

const OTEL_EXPORTER_OTLP_ENDPOINT = Setting.make({
  name: "OTEL_EXPORTER_OTLP_ENDPOINT",
  description: "Base URL of an OpenTelemetry collector (OTLP over HTTP) that gets traces and metrics.",
  fallback: "off",
  parse: orOff(collectorUrl)
})

/** The setting of the log level. All commands have it. */
export const logLevel: Config.Config<LogLevel.LogLevel> = LOG_LEVEL.config

/** The PostgreSQL database of the service. */
export interface DatabaseConfiguration {
  /** With the password. */
  readonly url: Redacted.Redacted
  readonly schema: string
  readonly poolSize: number
  readonly migrate: boolean
}

/** The configuration of commands that access data. */
export type StorageConfiguration =
  & {
    readonly dataDirectory: string
    /** Unix milliseconds. */
    readonly snowflakeEpoch: number
  }
  & (
    | { readonly storage: "memory" | "sqlite" }
    | { readonly storage: "postgres"; readonly database: DatabaseConfiguration }
  )

export const StorageConfiguration: Config.Config<StorageConfiguration> = Config.all({
  storage: STORAGE.config,
  dataDirectory: DATA_DIR.config,
  databaseUrl: DATABASE_URL.config,
  schema: SCHEMA.config,
  poolSize: POOL_SIZE.config,
  migrate: MIGRATE.config,
  snowflakeEpoch: SNOWFLAKE_EPOCH.config
}).pipe(
  Config.mapOrFail((
    { databaseUrl: url, migrate, poolSize, schema, storage, ...others }
  ): Either.Either<StorageConfiguration, ConfigError.ConfigError> => {
    if (storage !== "postgres") return Either.right({ ...others, storage })
    return Option.isSome(url)
      ? Either.right({ ...others, storage, database: { url: url.value, schema, poolSize, migrate } })
      : Either.left(ConfigError.MissingData(["DATABASE_URL"], "must be set if STORAGE is postgres"))
  })
)

/** The configuration of the server. */
export const ServerConfiguration = Config.all({
  data: StorageConfiguration,
  host: HOST.config,
  port: PORT.config,
  publicUrl: PUBLIC_URL.config,
  corsOrigins: CORS_ORIGINS.config,
  demoPage: DEMO_PAGE.config,
  logFormat: LOG_FORMAT.config,
  defaultDaysUntilDeletion: DEFAULT_DAYS.config,
  rateLimiting: RATE_LIMITS.config,
  rateLimits,
  redisUrl: REDIS_URL.config,
  requestTimeout: REQUEST_TIMEOUT.config,
  trustedProxies: TRUST_PROXY.config,
  maxConnections: MAX_CONNECTIONS.config,
  maxConnectionsPerAddress: MAX_CONNECTIONS_PER_ADDRESS.config,
  maxEventStreamsPerKey: MAX_EVENT_STREAMS_PER_KEY.config,
  claimLease: CLAIM_LEASE.config,
  eventRetention: EVENT_RETENTION.config,
  bodyMemory: Config.all({ total: BODY_MAX_BYTES.config, perPrincipal: BODY_MAX_BYTES_PER_CALLER.config }),
  memberIndexMaxBytes: MEMBER_INDEX_MAX_BYTES.config,
  cluster,
  metrics: Config.map(
    Config.all({ host: METRICS_HOST.config, port: METRICS_PORT.config }),
    ({ host, port }) => Option.map(port, (known) => ({ host, port: known }))
  ),
  otlpEndpoint: OTEL_EXPORTER_OTLP_ENDPOINT.config,
  shutdownTimeout: SHUTDOWN_TIMEOUT.config
}).pipe(
  Config.mapOrFail((configuration) =>
    Option.isSome(configuration.cluster) && configuration.data.storage !== "postgres"
      ? Either.left(ConfigError.InvalidData(["MEMBER_INDEX"], "must be local unless STORAGE is postgres"))
      : Either.right(configuration)
  )
)
export type ServerConfiguration = Config.Config.Success<typeof ServerConfiguration>

const STORAGE_SETTINGS = [STORAGE, DATA_DIR, DATABASE_URL, SCHEMA, POOL_SIZE, MIGRATE, SNOWFLAKE_EPOCH]

const SERVER_SETTINGS = [
  HOST,
  PORT,
  PUBLIC_URL,
  CORS_ORIGINS,
  DEMO_PAGE,
  ...STORAGE_SETTINGS,
  LOG_FORMAT,
  DEFAULT_DAYS,
  RATE_LIMITS,
  ...RATE_LIMIT_SETTINGS,
  REDIS_URL,
  REQUEST_TIMEOUT,
  TRUST_PROXY,
  MAX_CONNECTIONS,
  MAX_CONNECTIONS_PER_ADDRESS,
  MAX_EVENT_STREAMS_PER_KEY,
  CLAIM_LEASE,
  EVENT_RETENTION,
  BODY_MAX_BYTES,
  BODY_MAX_BYTES_PER_CALLER,
  MEMBER_INDEX_MAX_BYTES,
  ...CLUSTER_SETTINGS,
  METRICS_HOST,
  METRICS_PORT,
  OTEL_EXPORTER_OTLP_ENDPOINT,
  SHUTDOWN_TIMEOUT
]

/** All settings. */
export const SETTINGS: ReadonlyArray<Setting.Setting<unknown>> = [LOG_LEVEL, ...SERVER_SETTINGS]

/** The flags of commands that access data. */
export const storageFlags = Setting.flags(STORAGE_SETTINGS)

/** The flags of the server. The flag of `LOG_LEVEL` is not among them, because all commands have it. */
export const serverFlags = Setting.flags(SERVER_SETTINGS)
