import { EventRetention } from "@community-messaging/domain/event/EventRetention"
import { ClaimLease } from "@community-messaging/domain/shared-kernel/ClaimLease"
import { SnowflakeEpoch } from "@community-messaging/domain/shared-kernel/Snowflake"
import { MAX_EVENT_STREAMS_PER_KEY, REQUEST_TIMEOUT } from "@community-messaging/http-adapter/HttpAdapter"
import { DEFAULT_LIMITS } from "@community-messaging/http-adapter/server/rate-limits/RateLimits"
import { MemberIndexMaxBytes } from "@community-messaging/member-index/GuildIndexes"
import { describe, expect, it } from "@effect/vitest"
import { ConfigProvider, Duration, Effect, Option, Record, Redacted } from "effect"
import { logLevel, ServerConfiguration } from "../../src/configuration/Configuration.ts"
import * as Setting from "../../src/configuration/Setting.ts"
import { StorageConfiguration } from "../../src/configuration/StorageSettings.ts"

const load = (environment: Readonly<Record<string, string>>, flags: Readonly<Record<string, string>> = {}) =>
  Setting.load(ServerConfiguration, new Map(Object.entries(flags))).pipe(
    Effect.withConfigProvider(ConfigProvider.fromMap(new Map(Object.entries(environment))))
  )

const complaint = (environment: Readonly<Record<string, string>>, flags: Readonly<Record<string, string>> = {}) =>
  Effect.map(Effect.flip(load(environment, flags)), Setting.describeError)

describe("the configuration", () => {
  it.effect("reads words in any case, windows of any length, and URLs without their last slash", () =>
    Effect.gen(function*() {
      const configuration = yield* load({
        PUBLIC_URL: "https://chat.example/api/",
        CORS_ORIGINS: "https://chat.example, http://localhost:3000",
        DEMO_PAGE: "ON",
        STORAGE: "MEMORY",
        SNOWFLAKE_EPOCH: "2020-01-01",
        RATE_LIMIT_CONSENT: "1/minute",
        RATE_LIMIT_SCHEDULED_MESSAGES: "2/2 seconds",
        RATE_LIMIT_MEMBER_SEARCH: "3 / 500 millis",
        RATE_LIMIT_WEBHOOK_UPDATE: "5/1 day",
        RATE_LIMIT_WEBHOOK_NOTIFICATION: "1000000/minute",
        REDIS_URL: "rediss://:secret@redis.example:6380/1",
        OTEL_EXPORTER_OTLP_ENDPOINT: "http://collector:4318/",
        SHUTDOWN_TIMEOUT: "1 minute"
      })
      expect(configuration).toMatchObject({
        data: { storage: "memory", snowflakeEpoch: Date.UTC(2020, 0, 1) },
        publicUrl: Option.some("https://chat.example/api"),
        corsOrigins: Option.some(new Set(["https://chat.example", "http://localhost:3000"])),
        demoPage: "on",
        rateLimits: {
          consent: { limit: 1, window: Duration.minutes(1) },
          "scheduled-messages": { limit: 2, window: Duration.seconds(2) },
          "member-search": { limit: 3, window: Duration.millis(500) },
          "webhook-update": { limit: 5, window: Duration.days(1) },
          "webhook-notification": { limit: 1_000_000, window: Duration.minutes(1) }
        },
        redisUrl: Option.some(Redacted.make("rediss://:secret@redis.example:6380/1")),
        otlpEndpoint: Option.some("http://collector:4318"),
        shutdownTimeout: Duration.minutes(1)
      })
    }))

  it.effect("has the limits of the API by default", () =>
    Effect.gen(function*() {
      expect((yield* load({})).rateLimits).toEqual(
        Record.map(DEFAULT_LIMITS, ({ limit, window }) => ({ limit, window: Duration.decode(window) }))
      )
    }))

  it.effect("has the defaults of the packages that it configures", () =>
    Effect.gen(function*() {
      expect(yield* load({})).toMatchObject({
        claimLease: yield* ClaimLease,
        data: { snowflakeEpoch: yield* SnowflakeEpoch },
        eventRetention: yield* EventRetention,
        maxEventStreamsPerKey: MAX_EVENT_STREAMS_PER_KEY,
        memberIndexMaxBytes: yield* MemberIndexMaxBytes,
        requestTimeout: REQUEST_TIMEOUT
      })
    }))

  it.effect("prefers a flag to the environment, which it does not read then, and treats a blank value as not set", () =>
    Effect.gen(function*() {
      expect((yield* load({ PORT: "1" }, { PORT: "2" })).port).toBe(2)
      expect((yield* load({ PORT: "nonsense" }, { PORT: "2" })).port).toBe(2)
      expect((yield* load({ PORT: " " })).port).toBe(8080)
    }))

  it.effect("reads the log level in any case", () =>
    Effect.gen(function*() {
      const level = yield* Setting.load(logLevel, new Map()).pipe(
        Effect.withConfigProvider(ConfigProvider.fromMap(new Map([["LOG_LEVEL", "Debug"]])))
      )
      expect(level._tag).toBe("Debug")
    }))

  const PORT = "a whole number from 0 to 65535"
  const EPOCH = "a time from 1970 to now by the clock of this machine, such as 2015-01-01T00:00:00Z"
  const DURATION =
    "a length of time from 1 millisecond to 24 days, in millis, seconds, minutes, hours or days, such as \"30 seconds\""
  const DURATIONS = ["10", "soon", "0 seconds", "999 micros", "577 hours", "2147483648 millis", "100000 weeks"]

  const wrong: ReadonlyArray<readonly [name: string, texts: ReadonlyArray<string>, requirement: string]> = [
    ["PORT", ["65536", "-1", "80.5"], PORT],
    ["STORAGE", ["disk"], "one of sqlite, postgres, memory"],
    ["POOL_SIZE", ["1"], "a whole number from 2 to 1000"],
    ["MIGRATE", ["never"], "one of on, off, true, false"],
    [
      "SCHEMA",
      ["Chat", "1st", "pg_chat", "information_schema", "a-b", "a".repeat(64)],
      "a name of 1 to 63 of a-z, 0-9 and _, that does not begin with a digit or pg_ and is not information_schema"
    ],
    ["SNOWFLAKE_EPOCH", ["yesterday", "1969-12-31", "2999-01-01", "1420070400000"], EPOCH],
    ["LOG_FORMAT", ["xml"], "one of auto, json, logfmt, pretty"],
    ["DEFAULT_DAYS_UNTIL_DELETION", ["0", "366"], "a whole number from 1 to 365"],
    ["RATE_LIMITS", ["maybe"], "one of on, off, true, false"],
    [
      "RATE_LIMIT_CONSENT",
      [
        "0/minute",
        "60",
        "60/0 seconds",
        "1000001/minute",
        "60/25 hours",
        "60/fortnight",
        "-1/minute",
        "60/",
        "60/nano"
      ],
      "1 to 1000000 requests in a time of at most a day, such as \"40/10 seconds\" or \"60/minute\""
    ],
    [
      "PUBLIC_URL",
      ["chat.example", "ftp://chat.example", "https://chat.example?a=1", "https://chat.example/v1/"],
      "an http or https URL without user, query, fragment and /v1, such as https://chat.example/api"
    ],
    [
      "CORS_ORIGINS",
      [
        "chat.example",
        "https://chat.example/",
        "https://chat.example/app",
        "ftp://chat.example",
        "https://chat.example, wss://chat.example",
        "*, https://chat.example",
        "null"
      ],
      "* or a list of http and https origins without a path, such as https://chat.example https://admin.example:8443"
    ],
    ["DEMO_PAGE", ["maybe"], "one of auto, on, off"],
    ["TRUST_PROXY", ["true"], "a whole number from 0 to 10"],
    ["METRICS_PORT", ["on"], `off, or ${PORT}`],
    [
      "OTEL_EXPORTER_OTLP_ENDPOINT",
      ["4318", "grpc://collector:4317", "http://collector:4318?a=1"],
      "off, or an http or https URL without user, query and fragment, such as http://127.0.0.1:4318"
    ],
    ["REQUEST_TIMEOUT", DURATIONS, DURATION],
    ["KEEP_ALIVE_TIMEOUT", DURATIONS, DURATION],
    ["SHUTDOWN_TIMEOUT", DURATIONS, DURATION],
    ["CLAIM_LEASE", DURATIONS, DURATION],
    ["EVENT_RETENTION", ["soon", "0 days", "36501 days"], DURATION.replace("24", "36500")]
  ]
  for (const [name, texts, requirement] of wrong) {
    it.effect(`describes what ${name} must be`, () =>
      Effect.gen(function*() {
        for (const text of texts) {
          expect(yield* complaint({ [name]: text })).toBe(`${name} must be ${requirement}, not "${text}"`)
        }
      }))
  }

  it.effect.each(
    [
      ["PUBLIC_URL", "https://ada:secret@chat.example", "https://********@chat.example"],
      ["CORS_ORIGINS", "https://chat.example https://ada:secret@a.example", "https://********@a.example"],
      ["PUBLIC_URL", "https://ada:my secret@chat.example?a", "https://********@chat.example?a"],
      ["OTEL_EXPORTER_OTLP_ENDPOINT", "http://user:secret@collector:4318", "http://********@collector:4318"],
      ["OTEL_EXPORTER_OTLP_ENDPOINT", "http://user:secr/et@collector:4318", "http://********@collector:4318"]
    ] as const
  )("describes what %s must be without the password in %s", ([name, text, shown]) =>
    Effect.gen(function*() {
      const said = yield* complaint({ [name]: text })
      expect(said).toContain(`${name} must be`)
      expect(said).toContain(shown)
      expect(said).not.toContain("secr")
    }))

  it.effect("describes what REDIS_URL must be without its password", () =>
    Effect.gen(function*() {
      const texts = [
        "secret@redis.example",
        "http://:secret@redis.example",
        "redis://",
        "redis://:secret@redis.example/abc",
        "redis://:secret@redis.example/1.5",
        "redis://:secret@redis.example/2147483648",
        "redis://redis.example?password=secret",
        "redis://redis.example/1#secret"
      ]
      for (const text of texts) {
        expect(yield* complaint({ REDIS_URL: text })).toBe(
          "REDIS_URL must be a redis or rediss URL without query and fragment, such as redis://127.0.0.1:6379/1"
        )
      }
      expect(yield* complaint({ REDIS_URL: "redis://:50%secret@redis.example" })).toBe(
        "REDIS_URL must be a URL whose user and password are percent-encoded: % is %25"
      )
    }))

  const URL_REQUIRED = "a URL such as postgres://user:password@host:5432/database?sslmode=verify-full"

  it.effect.each(
    [
      ["db.example", URL_REQUIRED],
      ["mysql://ada:s3cret@db.example/chat", URL_REQUIRED],
      ["postgres://ada:s3cret@/chat", URL_REQUIRED],
      ["postgres://ada:s3cret/x@db.example/chat", "password percent-encoded: / as %2F"],
      ["postgres://ada:7/s3cret@db.example/chat", "password percent-encoded: / as %2F"],
      ["postgres://ada:p@s3cret/x@db.example/chat", "password percent-encoded: / as %2F"],
      ["postgres://ada:p@s3cret#x@db.example/chat", "password percent-encoded: / as %2F"],
      ["postgres://ada:p@s3cret?x@db.example/chat", "password percent-encoded: / as %2F"],
      ["postgres://ada:7#s3cret@db.example/chat", "# as %23"],
      ["postgres://ada:7?s3cret@db.example/chat", "? as %3F"],
      ["postgres://ada:s3cret@db.example/chat?sslmode=verify-full&sslmode=disable", "with only one sslmode"],
      ["postgres://ada:s3cret@db.example/chat?sslmode=prefer", "sslmodes disable, require, verify-ca, verify-full"],
      ["postgres://ada:s3cret@db.example/chat?sslmode=verify-ca", "sslrootcert=FILE"],
      // The driver would ignore them, and connect without TLS.
      ["postgres://ada:s3cret@db.example/chat?sslMode=verify-full", "sslmode, sslrootcert, sslcert, sslkey"],
      ["postgres://ada:s3cret@db.example/chat?ssl_mode=require", "sslmode, sslrootcert, sslcert, sslkey"]
    ] as const
  )(
    "describes what DATABASE_URL must be when it is %s, without its value",
    ([url, requirement]) =>
      Effect.gen(function*() {
        const line = yield* complaint({ DATABASE_URL: url })
        expect(line).toContain(`DATABASE_URL must be ${URL_REQUIRED}`)
        expect(line).toContain(requirement)
        expect(line).not.toContain("s3cret")
      })
  )

  it.effect("reads the PostgreSQL database only for STORAGE=postgres, which requires it", () =>
    Effect.gen(function*() {
      expect(yield* complaint({ STORAGE: "postgres" })).toBe("DATABASE_URL must be set if STORAGE is postgres")
      const DATABASE_URL = "postgres://ada:s3cret@db.example/chat?sslmode=require"
      expect((yield* load({ DATABASE_URL })).data.storage).toBe("sqlite")
      const { data } = yield* load({
        DATABASE_URL,
        STORAGE: "postgres",
        SCHEMA: "chat",
        POOL_SIZE: "3",
        MIGRATE: "off"
      })
      expect(data).toMatchObject({ storage: "postgres", migrate: false, database: { schema: "chat", poolSize: 3 } })
      expect(JSON.stringify(data)).not.toContain("s3cret")
    }))

  describe("of a cluster", () => {
    const CLUSTER = {
      STORAGE: "postgres",
      DATABASE_URL: "postgres://ada:s3cret@db.example/chat",
      MEMBER_INDEX: "sharded",
      CLUSTER_SECRET: "thirty-two characters, and no less"
    }

    it.effect("is on loopback by default", () =>
      Effect.gen(function*() {
        const secret = Redacted.make(CLUSTER.CLUSTER_SECRET)
        const onLoopback = { host: "127.0.0.1", listenHost: "127.0.0.1", port: 0, secret }
        expect((yield* load(CLUSTER)).cluster).toEqual(Option.some(onLoopback))
        const elsewhere = { CLUSTER_HOST: "10.0.0.7", CLUSTER_LISTEN_HOST: "0.0.0.0", CLUSTER_PORT: "9000" }
        expect((yield* load({ ...CLUSTER, ...elsewhere })).cluster).toEqual(
          Option.some({ host: "10.0.0.7", listenHost: "0.0.0.0", port: 9000, secret })
        )
      }))

    it.effect("requires a long secret, which is not shown", () =>
      Effect.gen(function*() {
        const { CLUSTER_SECRET: _, ...others } = CLUSTER
        expect(yield* complaint(others)).toBe("CLUSTER_SECRET must be set if MEMBER_INDEX is sharded")
        expect(yield* complaint({ ...CLUSTER, CLUSTER_SECRET: "short" })).toBe(
          "CLUSTER_SECRET must be at least 32 characters"
        )
      }))

    it.effect("requires PostgreSQL, and an address that others can reach", () =>
      Effect.gen(function*() {
        expect(yield* complaint({ ...CLUSTER, STORAGE: "sqlite" })).toBe(
          "MEMBER_INDEX must be local unless STORAGE is postgres"
        )
        expect(yield* complaint({ ...CLUSTER, CLUSTER_HOST: "0.0.0.0" })).toContain(
          "to listen on all interfaces, set CLUSTER_LISTEN_HOST"
        )
      }))
  })

  it.effect("names the variable of every wrong value or flag, in one line", () =>
    Effect.gen(function*() {
      const line = yield* complaint({ PORT: "1\n2", STORAGE: "y" })
      expect([line.includes("PORT"), line.includes("STORAGE"), line.includes("\n")]).toEqual([true, true, false])
      expect(yield* complaint({}, { PORT: "x" })).toBe("PORT must be a whole number from 0 to 65535, not \"x\"")
    }))

  it.effect("ignores the server's settings if only data is configured", () =>
    Effect.gen(function*() {
      const { dataDirectory } = yield* Setting.load(StorageConfiguration, new Map()).pipe(
        Effect.withConfigProvider(ConfigProvider.fromMap(new Map([["PORT", "nonsense"], ["DATA_DIR", "/data"]])))
      )
      expect(dataDirectory).toBe("/data")
    }))
})
