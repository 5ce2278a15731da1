import * as IndexMetrics from "@community-messaging/member-index/IndexMetrics"
import { Metric, MetricState } from "effect"
import { describe, expect, it } from "vitest"

/** The sum of the durations, in seconds. */
const seconds = (): number => {
  const found = Metric.unsafeSnapshot().find(({ metricKey }) =>
    metricKey.name === "community_messaging_member_index_build_duration_seconds"
  )
  return found !== undefined && MetricState.isHistogramState(found.metricState) ? found.metricState.sum : 0
}

describe("The duration of the build of an index", () => {
  it("is measured in seconds", () => {
    const before = seconds()
    IndexMetrics.countBuild(250)
    expect(seconds() - before).toBeCloseTo(0.25)
  })
})
