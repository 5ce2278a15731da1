import * as SqlClient from "@effect/sql/SqlClient"
import { describe, expect, it } from "@effect/vitest"
import { Effect, Layer, Logger, LogLevel, Option, Schema } from "effect"
import { composed, databaseOf, NOON, temporaryDirectory, within } from "../composed/ComposedServer.ts"
import * as Fixtures from "../http/Fixtures.ts"
import { sendRaw } from "../http/HttpClient.ts"
import { collector } from "./Collector.ts"
import { CONTENT, exercise, pages } from "./Exercise.ts"
import { scrape } from "./Scrape.ts"

/** A message that cannot be posted, and an account that is deleted. Returns whether the log has both. */
const backgroundWork = (lines: ReadonlyArray<string>) =>
  Effect.gen(function*() {
    const { guild, user } = yield* Fixtures.botWithGuild
    const { id: channelId } = yield* Fixtures.channel(guild.id)
    const payload = { content: Option.some(CONTENT) }
    const due = { channelId, status: "scheduled", scheduledAt: NOON } as const
    const sample = yield* Fixtures.scheduledMessage(user.id, { channelId })
    yield* Fixtures.scheduledMessage(user.id, { ...due, payload: { ...sample.payload, ...payload } })
    yield* Fixtures.person({ username: CONTENT }, (person) => ({ ...person, pendingDeletionAt: Option.some(NOON) }))
    const sql = yield* SqlClient.SqlClient
    yield* sql`CREATE TRIGGER no_post BEFORE INSERT ON messages BEGIN SELECT RAISE(ABORT, 'no'); END`
    yield* Fixtures.webhook
    const isLogged = (text: string) =>
      within("10 seconds", Effect.sync(() => lines.some((line) => line.includes(text))), (isThere) => isThere)
    const isTried = yield* isLogged("could not be delivered")
    return isTried && (yield* isLogged("Due deletions of accounts handled"))
  })

const Document = Schema.Struct({
  paths: Schema.Record({ key: Schema.String, value: Schema.Record({ key: Schema.String, value: Schema.Unknown }) })
})

/** The operations of the API, as in the log: method and route. */
const operationsOf = (document: unknown): ReadonlyArray<string> =>
  Object.entries(Schema.decodeUnknownSync(Document)(document).paths).flatMap(([path, methods]) =>
    Object.keys(methods).filter((method) => ["get", "post", "patch", "put", "delete"].includes(method))
      .map((method) => `${method.toUpperCase()} ${path.replaceAll(/\{(\w+)\}/g, ":$1")}`)
  )

/** The text of a page without the documentation's script, which is always the same and contains many addresses. */
const withoutLibrary = (text: string): string =>
  text.split("</script>").filter((piece) => piece.length < 1_000_000).join("</script>")

describe("a run over all operations", () => {
  it.scoped("leaves no secret in log lines, spans, metrics, error bodies and pages", () => {
    const lines: Array<string> = []
    const called = new Set<string>()
    const logger = Logger.map(Logger.structuredLogger, (entry) => {
      lines.push(JSON.stringify(entry))
      called.add(`${String(entry.annotations["method"])} ${String(entry.annotations["route"])}`)
    })
    return Effect.gen(function*() {
      const DATA_DIR = yield* temporaryDirectory
      const { endpoint, received } = yield* collector()
      const server = composed({
        DATA_DIR,
        METRICS_PORT: "0",
        OTEL_EXPORTER_OTLP_ENDPOINT: endpoint,
        // The pages name it, and it is not the address of a client.
        PUBLIC_URL: "https://chat.example",
        TRUST_PROXY: "1",
        RATE_LIMIT_AUTHENTICATION: "20/minute"
      })
      const run = Effect.gen(function*() {
        const exercised = yield* exercise
        const isWorked = yield* backgroundWork(lines)
        const shown = yield* pages(exercised.secrets)
        const { text } = yield* scrape
        const { json } = yield* sendRaw("/v1/openapi.json")
        return { ...exercised, isWorked, text, shown, operations: operationsOf(json) }
      })
      const { isWorked, operations, responses, secrets, shown, text } = yield* Effect.provide(
        run,
        Layer.provideMerge(databaseOf(DATA_DIR), server)
      )

      // All operations were called.
      expect(operations.filter((operation) => !called.has(operation))).toEqual([])
      const statuses = new Set(responses.map(({ status }) => status))
      expect([200, 204, 400, 401, 403, 404, 405, 413, 415, 417, 429].filter((status) => !statuses.has(status))).toEqual(
        []
      )
      expect(lines.some((line) => line.includes("\"DEBUG\""))).toBe(true)
      expect(isWorked).toBe(true)
      expect(secrets).not.toContain("no code")
      expect(shown.filter(({ headers }) => headers["content-type"]?.startsWith("text/html") === true)).toHaveLength(3)
      expect(received.map(({ path }) => path)).toEqual(expect.arrayContaining(["/v1/traces", "/v1/metrics"]))

      const outputs = {
        "log line": lines,
        "span or metric": received.map((request) => request.text),
        "scrape": [text],
        "error body": responses.filter(({ status }) => status >= 400).map((response) => response.text),
        page: shown.map((page) => withoutLibrary(page.text))
      }
      const found = Object.entries(outputs).flatMap(([kind, texts]) =>
        secrets.flatMap((secret) => texts.some((of) => of.includes(secret)) ? [`${secret} in a ${kind}`] : [])
      )
      expect(found).toEqual([])
    }).pipe(
      Effect.provide(Logger.replace(Logger.defaultLogger, logger)),
      Logger.withMinimumLogLevel(LogLevel.Debug)
    )
  }, 60_000)
})
