import * as CommitMetrics from "@community-messaging/storage-sql/CommitMetrics"
import { Metric, MetricState } from "effect"
import { describe, expect, it } from "vitest"

/** The sum of the durations, in seconds. */
const seconds = (): number => {
  const found = Metric.unsafeSnapshot().find(({ metricKey }) =>
    metricKey.name === "community_messaging_commit_duration_seconds"
  )
  return found !== undefined && MetricState.isHistogramState(found.metricState) ? found.metricState.sum : 0
}

describe("The duration of a commit", () => {
  it("is measured in seconds", () => {
    const before = seconds()
    CommitMetrics.count(1, 250)
    expect(seconds() - before).toBeCloseTo(0.25)
  })
})
