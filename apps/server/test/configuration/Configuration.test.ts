import { describe, expect, it } from "@effect/vitest"
import { ConfigProvider, Duration, Effect } from "effect"
import { logLevel, ServerConfiguration, StorageConfiguration } from "../../src/configuration/Configuration.ts"
import * as Setting from "../../src/configuration/Setting.ts"

const load = (environment: Readonly<Record<string, string>>, flags: Readonly<Record<string, string>> = {}) =>
  Setting.load(ServerConfiguration, new Map(Object.entries(flags))).pipe(
    Effect.withConfigProvider(ConfigProvider.fromMap(new Map(Object.entries(environment))))
  )

const complaint = (environment: Readonly<Record<string, string>>, flags: Readonly<Record<string, string>> = {}) =>
  Effect.map(Effect.flip(load(environment, flags)), Setting.describeError)

describe("the configuration", () => {
  it.effect("has a value for everything when nothing is set", () =>
    Effect.gen(function*() {
      expect(yield* load({})).toEqual({
        data: { storage: "sqlite", dataDirectory: ".data", snowflakeEpoch: Date.UTC(2015, 0, 1) },
        host: "127.0.0.1",
        port: 8080,
        logFormat: "auto",
        defaultDaysUntilDeletion: 60,
        rateLimits: true,
        requestTimeout: Duration.seconds(10),
        trustedProxies: 0,
        claimLease: Duration.seconds(30),
        eventRetention: Duration.days(31),
        memberIndexMaxBytes: 1024 ** 3,
        shutdownTimeout: Duration.seconds(10)
      })
    }))

  it.effect("reads the environment", () =>
    Effect.gen(function*() {
      const configuration = yield* load({
        HOST: "::1",
        PORT: "0",
        STORAGE: "MEMORY",
        DATA_DIR: "/data",
        SNOWFLAKE_EPOCH: "2020-01-01",
        LOG_FORMAT: "json",
        DEFAULT_DAYS_UNTIL_DELETION: "14",
        RATE_LIMITS: "off",
        REQUEST_TIMEOUT: "500 millis",
        TRUST_PROXY: "2",
        CLAIM_LEASE: "5 seconds",
        EVENT_RETENTION: "7 days",
        MEMBER_INDEX_MAX_BYTES: "68719476736",
        SHUTDOWN_TIMEOUT: "1 minute"
      })
      expect(configuration).toEqual({
        data: { storage: "memory", dataDirectory: "/data", snowflakeEpoch: Date.UTC(2020, 0, 1) },
        host: "::1",
        port: 0,
        logFormat: "json",
        defaultDaysUntilDeletion: 14,
        rateLimits: false,
        requestTimeout: Duration.millis(500),
        trustedProxies: 2,
        claimLease: Duration.seconds(5),
        eventRetention: Duration.days(7),
        memberIndexMaxBytes: 64 * 1024 ** 3,
        shutdownTimeout: Duration.minutes(1)
      })
    }))

  it.effect("prefers a flag to the environment", () =>
    Effect.gen(function*() {
      expect((yield* load({ PORT: "1" }, { PORT: "2" })).port).toBe(2)
    }))

  it.effect("does not look at the environment where there is a flag", () =>
    Effect.gen(function*() {
      expect((yield* load({ PORT: "nonsense" }, { PORT: "2" })).port).toBe(2)
    }))

  it.effect("takes a blank value for none", () =>
    Effect.gen(function*() {
      expect((yield* load({ PORT: " " })).port).toBe(8080)
    }))

  it.effect("reads the log level in any case", () =>
    Effect.gen(function*() {
      const level = yield* Setting.load(logLevel, new Map()).pipe(
        Effect.withConfigProvider(ConfigProvider.fromMap(new Map([["LOG_LEVEL", "Debug"]])))
      )
      expect(level._tag).toBe("Debug")
    }))

  const wrong: ReadonlyArray<readonly [name: string, text: string, requirement: string]> = [
    ["PORT", "65536", "a whole number from 0 to 65535"],
    ["PORT", "-1", "a whole number from 0 to 65535"],
    ["PORT", "80.5", "a whole number from 0 to 65535"],
    ["STORAGE", "disk", "one of sqlite, memory"],
    ["SNOWFLAKE_EPOCH", "yesterday", "a moment in the past such as 2015-01-01T00:00:00Z"],
    ["SNOWFLAKE_EPOCH", "2999-01-01", "a moment in the past such as 2015-01-01T00:00:00Z"],
    ["SNOWFLAKE_EPOCH", "1420070400000", "a moment in the past such as 2015-01-01T00:00:00Z"],
    ["LOG_FORMAT", "xml", "one of auto, json, logfmt, pretty"],
    ["DEFAULT_DAYS_UNTIL_DELETION", "0", "a whole number from 1 to 365"],
    ["DEFAULT_DAYS_UNTIL_DELETION", "366", "a whole number from 1 to 365"],
    ["RATE_LIMITS", "maybe", "one of on, off, true, false"],
    ["REQUEST_TIMEOUT", "10", "a length of time such as \"30 seconds\" or \"500 millis\""],
    ["REQUEST_TIMEOUT", "0 seconds", "a length of time such as \"30 seconds\" or \"500 millis\""],
    ["TRUST_PROXY", "true", "a whole number from 0 to 10"],
    ["SHUTDOWN_TIMEOUT", "soon", "a length of time such as \"30 seconds\" or \"500 millis\""]
  ]
  for (const [name, text, requirement] of wrong) {
    it.effect(`says what ${name} must be when it is ${JSON.stringify(text)}`, () =>
      Effect.gen(function*() {
        expect(yield* complaint({ [name]: text })).toBe(`${name} must be ${requirement}, not "${text}"`)
      }))
  }

  it.effect("names every wrong value in one line", () =>
    Effect.gen(function*() {
      const line = yield* complaint({ PORT: "x", STORAGE: "y" })
      expect([line.includes("PORT"), line.includes("STORAGE"), line.includes("\n")]).toEqual([true, true, false])
    }))

  it.effect("names the variable when the flag that stands for it is wrong", () =>
    Effect.gen(function*() {
      expect(yield* complaint({}, { PORT: "x" })).toBe("PORT must be a whole number from 0 to 65535, not \"x\"")
    }))

  it.effect("keeps a value with a line break in one line", () =>
    Effect.gen(function*() {
      expect(yield* complaint({ PORT: "1\n2" })).not.toContain("\n")
    }))

  it.effect("leaves the server's settings alone where only data is asked for", () =>
    Effect.gen(function*() {
      const { dataDirectory } = yield* Setting.load(StorageConfiguration, new Map()).pipe(
        Effect.withConfigProvider(ConfigProvider.fromMap(new Map([["PORT", "nonsense"], ["DATA_DIR", "/data"]])))
      )
      expect(dataDirectory).toBe("/data")
    }))
})
