import { Metric } from "effect"

const unanswered = Metric.counter("community_messaging_member_searches_unanswered_total", {
  description:
    "Member searches without a usable answer of another server in time, with MEMBER_INDEX=sharded: `indexing` was true.",
  incremental: true
})

/** Registers the metrics, also without a cluster. */
export const register = Metric.incrementBy(unanswered, 0)

/** Counts a search that no server answered in time. */
export const countUnanswered = Metric.increment(unanswered)
