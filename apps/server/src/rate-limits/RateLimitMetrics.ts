import { Effect, Metric } from "effect"

const shared = Metric.gauge("community_messaging_rate_limits_shared", {
  description:
    "Whether rate limits are counted together with other servers; 0 without Redis or while it does not answer."
})

const outages = Metric.counter("community_messaging_rate_limit_outages_total", {
  description: "How often this server began to count rate limits alone, because Redis did not answer.",
  incremental: true
})

/** Registers the metrics: rate limits are not shared yet. */
export const register = Effect.zipRight(Metric.set(shared, 0), Metric.incrementBy(outages, 0))

/** From now on, rate limits are counted together with other servers. */
export const countShared = Metric.set(shared, 1)

/** From now on, this server counts alone. */
export const countOutage = Effect.zipRight(Metric.set(shared, 0), Metric.increment(outages))
