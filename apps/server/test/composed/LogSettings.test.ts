import * as NodeContext from "@effect/platform-node/NodeContext"
import { describe, expect, it } from "@effect/vitest"
import { ConfigProvider, type Console, Effect, Fiber } from "effect"
import getPort from "get-port"
import * as CommandLine from "../../src/command-line/CommandLine.ts"
import { send } from "../http/HttpClient.ts"
import { TestServer } from "../http/TestServer.ts"
import { type Settings, temporaryDirectory } from "./ComposedServer.ts"

/** A console that records the output to the standard error. */
const keeping = (console: Console.Console, lines: Array<string>): Console.Console => ({
  ...console,
  unsafe: {
    ...console.unsafe,
    error: (...texts: ReadonlyArray<unknown>) => {
      lines.push(texts.join(" "))
    }
  }
})

/** The log of `serve` for a request. */
const logOf = (settings: Settings) =>
  Effect.gen(function*() {
    const lines: Array<string> = []
    const port = yield* Effect.promise(() => getPort({ host: "127.0.0.1" }))
    const environment = new Map(
      Object.entries({ DATA_DIR: yield* temporaryDirectory, PORT: String(port), ...settings })
    )
    const serving = yield* Effect.consoleWith((console) =>
      CommandLine.run(["node", "main.js", "serve"]).pipe(
        Effect.withConsole(keeping(console, lines)),
        Effect.withConfigProvider(ConfigProvider.fromMap(environment)),
        Effect.provide(NodeContext.layer),
        Effect.fork
      )
    )
    yield* Effect.gen(function*() {
      // Checks of health are not logged.
      yield* Effect.eventually(
        Effect.filterOrFail(Effect.sandbox(send("/health/ready")), ({ status }) => status === 200)
      )
      yield* send("/health/live")
      yield* send("/v1/openapi.json")
    }).pipe(Effect.provideService(TestServer, { origin: `http://127.0.0.1:${port}` }))
    yield* Fiber.interrupt(serving)
    return lines.filter((line) => /\bRequest\b/.test(line))
  })

describe("LOG_FORMAT", () => {
  it.scoped("json writes one object per line", () =>
    Effect.gen(function*() {
      const lines = yield* logOf({ LOG_FORMAT: "json" })
      expect(lines.map((line): unknown => JSON.parse(line))).toMatchObject([{ message: "Request", logLevel: "INFO" }])
    }))

  it.scoped("logfmt writes names and values", () =>
    Effect.gen(function*() {
      expect(yield* logOf({ LOG_FORMAT: "logfmt" })).toEqual([expect.stringMatching(/level=INFO .*message=Request/)])
    }))

  it.scoped("pretty writes for people, one line for a request", () =>
    Effect.gen(function*() {
      expect(yield* logOf({ LOG_FORMAT: "pretty" })).toEqual([
        expect.stringMatching(
          /^\[\d\d:\d\d:\d\d\.\d{3}\] INFO  Request method=GET route=\/v1\/openapi\.json status=200 duration_ms=\S+ request_id=\S+$/
        )
      ])
    }))
})

describe("LOG_LEVEL", () => {
  it.scoped("is the minimum level of log messages", () =>
    Effect.gen(function*() {
      expect(yield* logOf({ LOG_LEVEL: "warning" })).toEqual([])
    }))
})
