import { Metric } from "effect"

const unanswered = Metric.counter("community_messaging_member_searches_unanswered_total", {
  description:
    "Member searches that no server answered in time, or none in a form that is understood, with MEMBER_INDEX=sharded: `indexing` was true.",
  incremental: true
})

/** Makes the metrics known, also without a cluster. */
export const register = Metric.incrementBy(unanswered, 0)

/** Counts a search that no server answered in time. */
export const countUnanswered = Metric.increment(unanswered)
