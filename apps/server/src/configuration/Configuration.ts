import { DaysUntilDeletion, DEFAULT_DAYS_UNTIL_DELETION } from "@community-messaging/domain/account/DeletionSchedule"
import * as BodyMemory from "@community-messaging/http-adapter/server/bodies/BodyMemory"
import { DEFAULT_LIMITS } from "@community-messaging/http-adapter/server/connections/ConnectionLimiter"
import { Config, ConfigError, Either, LogLevel, Option } from "effect"
import { cluster, CLUSTER_SETTINGS } from "./ClusterSettings.ts"
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
import { STORAGE_SETTINGS, StorageConfiguration } from "./StorageSettings.ts"

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

const LOG_LEVEL = Setting.make({
  name: "LOG_LEVEL",
  description: "Minimum level of log messages: all, trace, debug, info, warning, error, fatal or none.",
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
    "Redis in which all servers count rate limits together: redis://:PASSWORD@HOST:6379/DATABASE, rediss:// with TLS, without a query.",
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

const KEEP_ALIVE_TIMEOUT = Setting.makeOptional({
  name: "KEEP_ALIVE_TIMEOUT",
  description: "Maximum time between two requests on a connection. A proxy must close idle connections sooner.",
  fallback: "5 seconds, or 75 seconds if TRUST_PROXY is set",
  parse: duration(MAX_TIMER)
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
  keepAliveTimeout: KEEP_ALIVE_TIMEOUT.config,
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
  KEEP_ALIVE_TIMEOUT,
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

/** The flags of the server. The flag of `LOG_LEVEL` is not among them, because all commands have it. */
export const serverFlags = Setting.flags(SERVER_SETTINGS)
