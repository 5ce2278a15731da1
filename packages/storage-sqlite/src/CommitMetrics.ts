import * as CommitDuration from "@community-messaging/storage-sql/CommitDuration"
import { Metric, MetricBoundaries } from "effect"

const units = Metric.histogram(
  "community_messaging_commit_units",
  MetricBoundaries.fromIterable([1, 2, 4, 8, 16, 32, 64]),
  "Units of work that shared a commit."
)

/** Makes the metrics known before the first commit. */
export const register = (): void => {
  units.register()
  CommitDuration.register()
}

/** Counts a commit of so many units of work. */
export const countCommit = (size: number, millis: number): void => {
  units.unsafeUpdate(size, [])
  CommitDuration.count(millis)
}
