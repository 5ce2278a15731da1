import {
  DAYS_UNTIL_DELETION,
  DaysUntilDeletion,
  DEFAULT_DAYS_UNTIL_DELETION
} from "@community-messaging/domain/account/DeletionSchedule"
import * as BodyMemory from "@community-messaging/http-adapter/server/bodies/BodyMemory"
import { DEFAULT_LIMITS } from "@community-messaging/http-adapter/server/connections/ConnectionLimiter"
import { Config, ConfigError, Either, LogLevel, Option } from "effect"
import { cluster, clusterSettings } from "./ClusterSettings.ts"
import { rateLimits, rateLimitSettings } from "./RateLimitSettings.ts"
import * as Setting from "./Setting.ts"
import {
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
import { StorageConfiguration, storageSettings } from "./StorageSettings.ts"

/** The setting of the log level. All commands have it. */
export const logLevel = Setting.make({
  name: "LOG_LEVEL",
  description: "Minimum level of log messages: all, trace, debug, info, warning, error, fatal or none.",
  fallback: "info",
  parse: (text) =>
    Either.fromNullable(
      LogLevel.allLevels.find((level) => level._tag.toLowerCase() === text.toLowerCase()),
      () => `one of ${LogLevel.allLevels.map((level) => level._tag.toLowerCase()).join(", ")}`
    )
})

const own = {
  host: Setting.make({
    name: "HOST",
    description: "Address to listen on. Use 0.0.0.0 for all interfaces.",
    fallback: "127.0.0.1",
    parse: Either.right
  }),
  port: Setting.make({
    name: "PORT",
    description: "Port to listen on. Use 0 for any free port.",
    fallback: "8080",
    parse: wholeNumber(0, 65_535)
  }),
  publicUrl: Setting.makeOptional({
    name: "PUBLIC_URL",
    description: "Base URL of the service for clients, including a proxy's path prefix, without /v1.",
    fallback: "http://HOST:PORT",
    parse: publicUrl
  }),
  corsOrigins: Setting.makeOptional({
    name: "CORS_ORIGINS",
    description:
      "Origins whose pages may call the API from a browser, separated by spaces or commas, such as https://chat.example; or * for all.",
    fallback: "none",
    parse: origins
  }),
  demoPage: Setting.make({
    name: "DEMO_PAGE",
    description:
      "Whether `serve --demo` serves /demo, which shows everything: on, off, or auto (on if only this machine can reach it).",
    fallback: "auto",
    parse: oneOf("auto", "on", "off")
  }),
  logFormat: Setting.make({
    name: "LOG_FORMAT",
    description: "Log format: json, logfmt, pretty, or auto (pretty on a terminal, else json).",
    fallback: "auto",
    parse: oneOf("auto", "json", "logfmt", "pretty")
  }),
  defaultDaysUntilDeletion: Setting.make({
    name: "DEFAULT_DAYS_UNTIL_DELETION",
    description: "Days until an account is deleted if the request does not specify them.",
    fallback: String(DEFAULT_DAYS_UNTIL_DELETION),
    parse: (text) =>
      Either.map(
        wholeNumber(DAYS_UNTIL_DELETION.minimum, DAYS_UNTIL_DELETION.maximum)(text),
        (days) => DaysUntilDeletion.make(days)
      )
  }),
  rateLimiting: Setting.make({
    name: "RATE_LIMITS",
    description: "Whether the rate limits below apply: on or off.",
    fallback: "on",
    parse: onOrOff
  }),
  redisUrl: Setting.makeOptional({
    name: "REDIS_URL",
    description:
      "Redis in which all servers count rate limits together: redis://:PASSWORD@HOST:6379/DATABASE, or rediss:// with TLS. The URL must not have a query.",
    fallback: "none: each server counts alone",
    parse: redisUrl,
    secret: true
  }),
  requestTimeout: Setting.make({
    name: "REQUEST_TIMEOUT",
    description: "Maximum time to handle one request, without reading its body.",
    fallback: "10 seconds",
    parse: duration(MAX_TIMER)
  }),
  trustedProxies: Setting.make({
    name: "TRUST_PROXY",
    description: "Number of proxies in front of the server that append to X-Forwarded-For.",
    fallback: "0",
    parse: wholeNumber(0, 10)
  }),
  keepAliveTimeout: Setting.makeOptional({
    name: "KEEP_ALIVE_TIMEOUT",
    description: "Maximum time between two requests on a connection. A proxy must close idle connections sooner.",
    fallback: "5 seconds, or 75 seconds if TRUST_PROXY is set",
    parse: duration(MAX_TIMER)
  }),
  maxConnections: Setting.make({
    name: "MAX_CONNECTIONS",
    description: "Maximum number of open connections.",
    fallback: String(DEFAULT_LIMITS.maxConnections),
    parse: wholeNumber(1, 1_000_000)
  }),
  maxConnectionsPerAddress: Setting.make({
    name: "MAX_CONNECTIONS_PER_ADDRESS",
    description: "Maximum number of open connections per address. Not applied if TRUST_PROXY is set.",
    fallback: String(DEFAULT_LIMITS.maxConnectionsPerAddress),
    parse: wholeNumber(1, 1_000_000)
  }),
  maxEventStreamsPerKey: Setting.make({
    name: "MAX_EVENT_STREAMS_PER_KEY",
    description: "Maximum number of open event streams per admin key.",
    fallback: "8",
    parse: wholeNumber(1, 1_000_000)
  }),
  claimLease: Setting.make({
    name: "CLAIM_LEASE",
    description: "How long a claim on due work is valid. After that, another server takes the work over.",
    fallback: "30 seconds",
    parse: duration(MAX_TIMER)
  }),
  eventRetention: Setting.make({
    name: "EVENT_RETENTION",
    description: "How long events are kept.",
    fallback: "31 days",
    parse: duration(MAX_AGE)
  }),
  memberIndexMaxBytes: Setting.make({
    name: "MEMBER_INDEX_MAX_BYTES",
    description:
      "Maximum memory for the indexes of member search, in bytes. Indexes of the least recently searched guilds are dropped first.",
    fallback: String(1024 ** 3),
    parse: wholeNumber(0, Number.MAX_SAFE_INTEGER)
  }),
  shutdownTimeout: Setting.make({
    name: "SHUTDOWN_TIMEOUT",
    description: "Maximum time to wait for requests in progress when the server stops.",
    fallback: "10 seconds",
    parse: duration(MAX_TIMER)
  }),
  otlpEndpoint: Setting.make({
    name: "OTEL_EXPORTER_OTLP_ENDPOINT",
    description: "Base URL of an OpenTelemetry collector (OTLP over HTTP) that gets traces and metrics.",
    fallback: "off",
    parse: orOff(collectorUrl)
  })
}

const bodyMemory = {
  total: Setting.make({
    name: "BODY_MAX_BYTES",
    description: "Maximum memory for request bodies in progress, in bytes. Beyond it, large bodies are answered 503.",
    fallback: String(BodyMemory.DEFAULT_LIMITS.total),
    parse: wholeNumber(0, Number.MAX_SAFE_INTEGER)
  }),
  perPrincipal: Setting.make({
    name: "BODY_MAX_BYTES_PER_CALLER",
    description:
      "Maximum memory for request bodies in progress per user, admin key or webhook, in bytes. Beyond it, large bodies are answered 429.",
    fallback: String(BodyMemory.DEFAULT_LIMITS.perPrincipal),
    parse: wholeNumber(0, Number.MAX_SAFE_INTEGER)
  })
}

const metrics = {
  host: Setting.make({
    name: "METRICS_HOST",
    description: "Address to serve metrics on. They need no credentials.",
    fallback: "127.0.0.1",
    parse: Either.right
  }),
  port: Setting.make({
    name: "METRICS_PORT",
    description: "Port to serve metrics on, at /metrics, in the format of Prometheus. Use 0 for any free port.",
    fallback: "off",
    parse: orOff(wholeNumber(0, 65_535))
  })
}

/** The configuration of the server. */
export const ServerConfiguration = Config.all({
  ...own,
  data: StorageConfiguration,
  rateLimits,
  cluster,
  bodyMemory: Config.all(bodyMemory),
  metrics: Config.map(Config.all(metrics), ({ host, port }) => Option.map(port, (known) => ({ host, port: known })))
}).pipe(
  Config.mapOrFail((configuration) =>
    Option.isSome(configuration.cluster) && configuration.data.storage !== "postgres"
      ? Either.left(ConfigError.InvalidData(["MEMBER_INDEX"], "must be local unless STORAGE is postgres"))
      : Either.right(configuration)
  )
)
export type ServerConfiguration = Config.Config.Success<typeof ServerConfiguration>

const GROUPS: ReadonlyArray<Readonly<Record<string, Setting.Setting<unknown>>>> = [
  own,
  storageSettings,
  rateLimitSettings,
  bodyMemory,
  clusterSettings,
  metrics
]

const SERVER_SETTINGS = GROUPS.flatMap((group) => Object.values(group))

/** All settings. */
export const SETTINGS: ReadonlyArray<Setting.Setting<unknown>> = [logLevel, ...SERVER_SETTINGS]

/** The flags of the server. The flag of `LOG_LEVEL` is not among them, because all commands have it. */
export const serverFlags = Setting.flags(SERVER_SETTINGS)
