import { targetOf } from "@community-messaging/http-adapter/server/Routes"
import type { PrometheusExporter } from "@opentelemetry/exporter-prometheus"
import { Effect, type Scope } from "effect"
import { createServer } from "node:http"
import * as Listening from "../serving/Listening.ts"

/** The limits of the server: a scraper needs one connection, and its request has no body. */
const MAX_CONNECTIONS = 32
const TIMEOUTS = { headersTimeout: 5_000, requestTimeout: 5_000 }

/**
 * Serves the metrics in the text format of Prometheus at `/metrics`, without credentials. Returns the URL. They have their
 * own port, so that callers of the API cannot read them.
 */
export const serve = (
  exporter: PrometheusExporter,
  address: { readonly host: string; readonly port: number }
): Effect.Effect<string, Listening.ListenError, Scope.Scope> =>
  Effect.gen(function*() {
    const server = createServer(TIMEOUTS)
    server.maxConnections = MAX_CONNECTIONS
    server.on("request", (request, response) => {
      const { path } = targetOf(request)
      const isRead = request.method === "GET" || request.method === "HEAD"
      if (path === "/metrics" && isRead) return exporter.getMetricsRequestHandler(request, response)
      return response.writeHead(path === "/metrics" ? 405 : 404, { allow: "GET, HEAD" }).end()
    })
    const listening = yield* Listening.listen(server, address, "on METRICS_HOST and METRICS_PORT")
    // Before the server closes, which waits for connections.
    yield* Effect.addFinalizer(() => Effect.sync(() => server.closeAllConnections()))
    return `${Listening.url(listening)}/metrics`
  })
