import { Effect, Schema } from "effect"
import { createServer, type IncomingHttpHeaders } from "node:http"

const Value = Schema.Struct({ stringValue: Schema.optional(Schema.String), intValue: Schema.optional(Schema.Unknown) })
const Attributes = Schema.Array(Schema.Struct({ key: Schema.String, value: Value }))

const Span = Schema.Struct({
  name: Schema.String,
  traceId: Schema.String,
  spanId: Schema.String,
  parentSpanId: Schema.optional(Schema.String),
  attributes: Attributes,
  status: Schema.Struct({ code: Schema.optional(Schema.Number), message: Schema.optional(Schema.String) })
})

const Traces = Schema.Struct({
  resourceSpans: Schema.Array(Schema.Struct({
    resource: Schema.Struct({ attributes: Attributes }),
    scopeSpans: Schema.Array(Schema.Struct({ spans: Schema.Array(Span) }))
  }))
})

const Metrics = Schema.Struct({
  resourceMetrics: Schema.Array(Schema.Struct({
    scopeMetrics: Schema.Array(Schema.Struct({ metrics: Schema.Array(Schema.Struct({ name: Schema.String })) }))
  }))
})

/** A received request. */
export interface Received {
  readonly path: string
  readonly headers: IncomingHttpHeaders
  readonly text: string
}

/** A collector that records its requests over OTLP (JSON over HTTP), and answers with this status. */
export const collector = (status = 200) =>
  Effect.map(
    Effect.acquireRelease(
      Effect.async<{ readonly endpoint: string; readonly received: Array<Received>; readonly close: () => void }>(
        (resume) => {
          const received: Array<Received> = []
          const server = createServer((request, response) => {
            let text = ""
            request.setEncoding("utf8").on("data", (piece: string) => {
              text += piece
            })
            request.on("end", () => {
              received.push({ path: request.url ?? "", headers: request.headers, text })
              response.writeHead(status, { "content-type": "application/json" }).end("{}")
            })
          })
          server.listen(0, "127.0.0.1", () => {
            const address = server.address()
            const port = typeof address === "object" && address !== null ? address.port : 0
            const close = () => {
              server.close()
              server.closeAllConnections()
            }
            resume(Effect.succeed({ endpoint: `http://127.0.0.1:${port}`, received, close }))
          })
        }
      ),
      ({ close }) => Effect.sync(close)
    ),
    ({ endpoint, received }) => ({ endpoint, received })
  )

const attributesOf = (attributes: typeof Attributes.Type): Readonly<Record<string, unknown>> =>
  Object.fromEntries(attributes.map(({ key, value }) => [key, value.stringValue ?? value.intValue]))

/** The received spans, with the attributes of their resource. */
export const spansOf = (received: ReadonlyArray<Received>) =>
  received.filter(({ path }) => path === "/v1/traces").flatMap(({ text }) =>
    Schema.decodeUnknownSync(Schema.parseJson(Traces))(text).resourceSpans.flatMap(({ resource, scopeSpans }) =>
      scopeSpans.flatMap(({ spans }) =>
        spans.map((span) => ({
          ...span,
          attributes: attributesOf(span.attributes),
          resource: attributesOf(resource.attributes)
        }))
      )
    )
  )

/** The names of the received metrics. */
export const metricsOf = (received: ReadonlyArray<Received>): ReadonlyArray<string> =>
  received.filter(({ path }) => path === "/v1/metrics").flatMap(({ text }) =>
    Schema.decodeUnknownSync(Schema.parseJson(Metrics))(text).resourceMetrics.flatMap(({ scopeMetrics }) =>
      scopeMetrics.flatMap(({ metrics }) => metrics.map(({ name }) => name))
    )
  )
