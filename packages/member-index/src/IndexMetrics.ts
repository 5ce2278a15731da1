import { Metric, MetricBoundaries } from "effect"

const memory = Metric.counter("community_messaging_member_index_bytes", {
  description: "Memory of the indexes for member search."
})

const count = Metric.counter("community_messaging_member_indexes", {
  description: "Guilds whose members are indexed."
})

const builds = Metric.histogram(
  "community_messaging_member_index_build_duration_seconds",
  MetricBoundaries.fromIterable([0.001, 0.005, 0.01, 0.05, 0.1, 0.5, 1, 5, 10, 60]),
  "Time that it took to build the index of a guild."
)

/** Registers the metrics, so that they are exported before the first search. */
export const register = (): void => {
  for (const metric of [memory, count, builds]) metric.register()
}

/** Counts memory that indexes take, or release if the number is negative. */
export const countBytes = (bytes: number): void => memory.unsafeUpdate(bytes, [])

/** Counts an index that is added, by 1, or dropped, by -1. */
export const countIndex = (difference: 1 | -1): void => count.unsafeUpdate(difference, [])

/** Counts an index that was built in this time. */
export const countBuild = (millis: number): void => builds.unsafeUpdate(millis / 1000, [])
