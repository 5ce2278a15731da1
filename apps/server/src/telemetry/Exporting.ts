import * as Metrics from "@effect/opentelemetry/Metrics"
import * as NodeSdk from "@effect/opentelemetry/NodeSdk"
import * as Resource from "@effect/opentelemetry/Resource"
import * as OtelTracer from "@effect/opentelemetry/Tracer"
import type * as FileSystem from "@effect/platform/FileSystem"
import { diag, DiagLogLevel } from "@opentelemetry/api"
import { OTLPMetricExporter } from "@opentelemetry/exporter-metrics-otlp-http"
import { PrometheusExporter } from "@opentelemetry/exporter-prometheus"
import { OTLPTraceExporter } from "@opentelemetry/exporter-trace-otlp-http"
import { defaultResource, detectResources, envDetector, resourceFromAttributes } from "@opentelemetry/resources"
import { type CollectionResult, type MetricProducer, PeriodicExportingMetricReader } from "@opentelemetry/sdk-metrics"
import { BatchSpanProcessor } from "@opentelemetry/sdk-trace-base"
import { ATTR_SERVICE_NAME, ATTR_SERVICE_VERSION } from "@opentelemetry/semantic-conventions"
import { Duration, Effect, Layer, Option, Runtime } from "effect"
import type { ServerConfiguration } from "../configuration/Configuration.ts"
import * as Version from "../Version.ts"
import * as LogLimit from "./LogLimit.ts"
import * as MetricsServer from "./MetricsServer.ts"
import * as RedactedTracer from "./RedactedTracer.ts"

/*
 * Only loaded if something is exported: the modules of OpenTelemetry take longer to load than the server takes to start.
 */

/** The minimum time between two log lines about failed exports. */
const FAILURES_LOGGED_EVERY = Duration.minutes(1)

/** How long a stopping server waits for the last export of spans. For the last metrics, Effect waits as long again. */
const SHUTDOWN_TIMEOUT = Duration.seconds(3)

/** The exporting service: from `OTEL_SERVICE_NAME` and `OTEL_RESOURCE_ATTRIBUTES`, or else this program and its version. */
const resource = Layer.effect(
  Resource.Resource,
  Effect.map(Version.read, (version) =>
    defaultResource()
      .merge(resourceFromAttributes({ [ATTR_SERVICE_NAME]: "community-messaging", [ATTR_SERVICE_VERSION]: version }))
      .merge(detectResources({ detectors: [envDetector] })))
)

/** The system's error code, or the status of the collector's response. The rest of the message may contain anything. */
const reasonOf = (message: string): string =>
  /\b(E[A-Z_]{4,30})\b/.exec(message)?.[1] ?? /OTLPExporterError: ([A-Za-z -]{1,60})/.exec(message)?.[1] ?? "unknown"

/** Logs that exports fail. */
const logFailures = Layer.scopedDiscard(
  Effect.acquireRelease(
    Effect.zipWith(Effect.runtime(), LogLimit.make(FAILURES_LOGGED_EVERY), (runtime, sometimes) => {
      const fork = Runtime.runFork(runtime)
      const warn = (message: string) => {
        const line = Effect.logWarning("Telemetry was not exported")
        fork(sometimes(Effect.annotateLogs(line, { reason: reasonOf(message) })))
      }
      const ignore = () => {}
      const logger = { error: warn, warn, info: ignore, debug: ignore, verbose: ignore }
      diag.setLogger(logger, { logLevel: DiagLogLevel.WARN, suppressOverrideMessage: true })
    }),
    () => Effect.sync(() => diag.disable())
  )
)

/** A tracer that sends spans to the OTLP endpoint, and a log of failed exports, also of metrics. */
export const tracing = (endpoint: string): Layer.Layer<never, never, FileSystem.FileSystem> =>
  Layer.unwrapEffect(Effect.map(OtelTracer.make, (tracer) => Layer.setTracer(RedactedTracer.make(tracer)))).pipe(
    Layer.provide(OtelTracer.layerTracer),
    Layer.provide(
      Layer.suspend(() =>
        NodeSdk.layerTracerProvider(new BatchSpanProcessor(new OTLPTraceExporter({ url: `${endpoint}/v1/traces` })), {
          shutdownTimeout: SHUTDOWN_TIMEOUT
        })
      )
    ),
    Layer.provide(resource),
    Layer.provide(logFailures)
  )

/** Removes Effect's own metrics, which are not about the service. */
const withoutFibers = ({ errors, resourceMetrics }: CollectionResult): CollectionResult => ({
  errors,
  resourceMetrics: {
    ...resourceMetrics,
    scopeMetrics: resourceMetrics.scopeMetrics.map(({ metrics: all, scope }) => ({
      scope,
      metrics: all.filter(({ descriptor }) => !descriptor.name.startsWith("effect_fiber_"))
    }))
  }
})

/** Exports the metrics to the configured destinations, after `sample` has updated those that need it. Returns the URL to scrape. */
export const metrics = <R>(
  { metrics: scraped, otlpEndpoint }: Pick<ServerConfiguration, "metrics" | "otlpEndpoint">,
  sample: Effect.Effect<void, never, R>
) =>
  Effect.gen(function*() {
    const run = Runtime.runPromise(yield* Effect.runtime<R>())
    const collected = yield* Metrics.makeProducer
    const producer: MetricProducer = {
      collect: (options) => run(sample).then(() => collected.collect(options)).then(withoutFibers)
    }
    const pushed = Option.map(otlpEndpoint, (endpoint) =>
      new PeriodicExportingMetricReader({ exporter: new OTLPMetricExporter({ url: `${endpoint}/v1/metrics` }) }))
    // The exporter's own server cannot use any free port, and does not report why it cannot listen.
    const served = Option.map(scraped, (address) => ({
      address,
      exporter: new PrometheusExporter({ preventServerStart: true, withoutScopeInfo: true })
    }))
    const readers = [
      ...Option.toArray(pushed),
      ...Option.toArray(served).map(({ exporter }) =>
        exporter
      )
    ]
    yield* Effect.forEach(readers, (reader) => Metrics.registerProducer(producer, () => reader))
    return yield* Effect.transposeMapOption(served, ({ address, exporter }) => MetricsServer.serve(exporter, address))
  }).pipe(Effect.provide(resource))
