import { Metric, MetricBoundaries } from "effect"

const units = Metric.histogram(
  "community_messaging_commit_units",
  MetricBoundaries.fromIterable([1, 2, 4, 8, 16, 32, 64]),
  "Units of work that shared a commit."
)

const duration = Metric.histogram(
  "community_messaging_commit_duration_seconds",
  MetricBoundaries.fromIterable([0.0001, 0.00025, 0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.5, 1, 5]),
  "Time that a commit took to reach the disk. On SQLite, nothing else happens in that time."
)

/** Registers the metrics, so that they are exported before the first commit. */
export const register = (): void => {
  units.register()
  duration.register()
}

/** Counts a commit of `size` units of work, which took `millis` milliseconds. */
export const count = (size: number, millis: number): void => {
  units.unsafeUpdate(size, [])
  duration.unsafeUpdate(millis / 1000, [])
}
