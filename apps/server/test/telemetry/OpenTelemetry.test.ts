import * as SqlClient from "@effect/sql/SqlClient"
import { describe, expect, it } from "@effect/vitest"
import { Effect, Logger } from "effect"
import { atRest, composed, databaseOf, temporaryDirectory } from "../composed/ComposedServer.ts"
import * as Fixtures from "../http/Fixtures.ts"
import { send, sendRaw } from "../http/HttpClient.ts"
import { collector, metricsOf, spansOf } from "./Collector.ts"

const LIST = "/v1/users/@me/scheduled-messages"
const TRACE = "4bf92f3577b34da6a3ce929d0e0e4736"
const CALLER = "00f067aa0ba902b7"

/** Sets variables of the process, which the exporters read themselves, until the scope ends. */
const withEnvironment = (variables: Readonly<Record<string, string>>) =>
  Effect.acquireRelease(
    Effect.sync(() => Object.assign(process.env, variables)),
    () =>
      Effect.sync(() => {
        for (const name of Object.keys(variables)) Reflect.deleteProperty(process.env, name)
      })
  )

/** The requests that a collector has received when the server has stopped. */
const exportedBy = <A, E, R>(
  requests: Effect.Effect<A, E, R>,
  settings: Readonly<Record<string, string>> = {}
) =>
  Effect.gen(function*() {
    const { endpoint, received } = yield* collector()
    yield* Effect.provide(requests, composed({ OTEL_EXPORTER_OTLP_ENDPOINT: endpoint, ...settings }))
    return received
  })

const serverSpans = (received: Parameters<typeof spansOf>[0]) =>
  spansOf(received).filter(({ attributes }) => attributes["http.route"] !== undefined)

describe("OTEL_EXPORTER_OTLP_ENDPOINT", () => {
  it.scoped("gets metrics, the spans of requests by their routes, and the spans of their work", () =>
    Effect.gen(function*() {
      const received = yield* exportedBy(Effect.gen(function*() {
        const { token } = yield* Fixtures.bot
        yield* send(LIST, { bot: token, headers: { "x-request-id": "r-1" } })
        yield* send(`${LIST}?status=none`, { bot: token })
      }))
      const [listed, refused] = serverSpans(received)
      expect(listed).toMatchObject({
        name: `GET ${LIST}`,
        attributes: { "http.request.method": "GET", "http.route": LIST, request_id: "r-1" }
      })
      expect(listed?.parentSpanId).toBeUndefined()
      expect(Number(listed?.attributes["http.response.status_code"])).toBe(200)
      expect(refused?.attributes["error.type"]).toBe("INVALID_FORM_BODY")
      const authentication = spansOf(received).find(({ name }) => name === "Authentication.bot")
      expect(authentication).toMatchObject({ traceId: listed?.traceId, parentSpanId: listed?.spanId })
      expect(metricsOf(received)).toEqual(expect.arrayContaining([
        "http_server_request_duration_seconds",
        "community_messaging_due_work",
        "process_resident_memory_bytes"
      ]))
    }))

  it.scoped("gets spans that continue the trace of the caller, with the same trace in the log", () => {
    const traces: Array<unknown> = []
    const logger = Logger.map(Logger.structuredLogger, ({ annotations, message }) => {
      if (message === "Request") traces.push(annotations["trace_id"])
    })
    return Effect.gen(function*() {
      const from = (traceparent: string) => sendRaw("/v1/openapi.json", { headers: { traceparent } })
      const received = yield* exportedBy(Effect.all([
        from(`00-${TRACE}-${CALLER}-01`),
        from(`00-${TRACE}-${CALLER}-00`),
        from("nonsense")
      ]))
      const spans = serverSpans(received)
      // The second caller does not record its trace.
      expect(spans.map(({ parentSpanId, traceId }) => [traceId === TRACE, parentSpanId])).toEqual([
        [true, CALLER],
        [false, undefined]
      ])
      expect(traces).toEqual([TRACE, TRACE, spans[1]?.traceId])
    }).pipe(Effect.provide(Logger.replace(Logger.defaultLogger, logger)))
  })

  it.scoped("gets spans of failed requests without the messages of errors", () =>
    Effect.gen(function*() {
      const DATA_DIR = yield* temporaryDirectory
      const { path } = yield* Effect.provide(Fixtures.webhook, atRest({ DATA_DIR }))
      const refuse = Effect.flatMap(SqlClient.SqlClient, (sql) =>
        sql`CREATE TRIGGER no_change BEFORE UPDATE ON webhooks BEGIN SELECT RAISE(ABORT, 'secret'); END`)
      yield* Effect.provide(refuse, databaseOf(DATA_DIR))
      const received = yield* exportedBy(send(path, { method: "PATCH", body: { name: "secret" } }), { DATA_DIR })
      const [failed] = serverSpans(received)
      expect(failed).toMatchObject({
        name: "PATCH /v1/webhooks/:webhook_id/:token",
        status: { code: 2, message: "RequestFailed (SERVICE_UNAVAILABLE)" }
      })
      const update = spansOf(received).find(({ name }) =>
        name === "Webhooks.update"
      )
      expect(update?.status.message).toMatch(/^StorageError in /)
      expect(received.map(({ text }) => text).join()).not.toContain("secret")
    }))

  it.scoped("gets the resource and the headers of the variables of OpenTelemetry", () =>
    Effect.gen(function*() {
      const [unnamed] = serverSpans(yield* exportedBy(sendRaw("/v1/openapi.json")))
      expect(unnamed?.resource).toMatchObject({ "service.name": "community-messaging", "service.version": "0.1.0" })
      yield* withEnvironment({
        OTEL_SERVICE_NAME: "chat",
        OTEL_RESOURCE_ATTRIBUTES: "deployment.environment.name=staging",
        OTEL_EXPORTER_OTLP_HEADERS: "authorization=Bearer%20abc"
      })
      const received = yield* exportedBy(sendRaw("/v1/openapi.json"))
      const [named] = serverSpans(received)
      expect(named?.resource).toMatchObject({
        "service.name": "chat",
        "deployment.environment.name": "staging"
      })
      expect(received.map(({ headers }) => headers.authorization)).not.toContain(undefined)
      expect(received[0]?.headers.authorization).toBe("Bearer abc")
    }))

  it.scoped("that rejects its requests is in the log, without the headers", () => {
    const warnings: Array<unknown> = []
    const logger = Logger.map(Logger.structuredLogger, ({ annotations, message }) => {
      if (message === "Telemetry was not exported") warnings.push(annotations)
    })
    return Effect.gen(function*() {
      yield* withEnvironment({ OTEL_EXPORTER_OTLP_HEADERS: "authorization=Bearer%20abc" })
      const { endpoint } = yield* collector(401)
      yield* Effect.provide(sendRaw("/v1/openapi.json"), composed({ OTEL_EXPORTER_OTLP_ENDPOINT: endpoint }))
      expect(warnings).toEqual([{ reason: "Unauthorized" }])
    }).pipe(Effect.provide(Logger.replace(Logger.defaultLogger, logger)))
  })
})
