import { Context, Effect, Layer, Metric, Option } from "effect"
import type { ServerConfiguration } from "../configuration/Configuration.ts"
import * as ProgramPart from "../ProgramPart.ts"
import * as Version from "../Version.ts"
import * as ProcessMetrics from "./ProcessMetrics.ts"
import * as WorkMetrics from "./WorkMetrics.ts"

type Settings = Pick<ServerConfiguration, "metrics" | "otlpEndpoint">

/** The URL at which the metrics can be scraped. */
export class MetricsUrl
  extends Context.Tag("@community-messaging/server/MetricsUrl")<MetricsUrl, Option.Option<string>>()
{}

const buildInfo = Metric.gauge("community_messaging_build_info", { description: "The running version, by its labels." })

/** Exports spans if an OTLP endpoint is configured. */
export const tracing = ({ otlpEndpoint }: Settings) =>
  Option.match(otlpEndpoint, {
    onNone: () => Layer.empty,
    onSome: (endpoint) =>
      Layer.unwrapEffect(
        Effect.map(ProgramPart.load(() => import("./Exporting.ts")), (exporting) => exporting.tracing(endpoint))
      )
  })

/** Exports metrics to the configured destinations. */
export const metrics = (settings: Settings) =>
  Layer.scoped(
    MetricsUrl,
    Effect.gen(function*() {
      if (Option.isNone(settings.metrics) && Option.isNone(settings.otlpEndpoint)) return Option.none<string>()
      const version = yield* Version.read
      const exporting = yield* ProgramPart.load(() => import("./Exporting.ts"))
      const info = buildInfo.pipe(Metric.tagged("version", version), Metric.tagged("node_version", process.version))
      yield* Metric.set(info, 1)
      const sample = Effect.zipRight(yield* ProcessMetrics.make, yield* WorkMetrics.make)
      return yield* exporting.metrics(settings, sample)
    })
  )
