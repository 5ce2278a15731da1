import type { Goal } from "@community-messaging/bench/report/Measurement"

/*
 * The bounds that a part asserts. Each is a line of the report.
 */

const EXAMPLES = 3

/** There are none. The report shows the first examples. */
export const none = (what: string, found: ReadonlyArray<string>): Goal => ({
  what,
  goal: "none",
  measured: found.length === 0 ? "none" : `${found.length}: ${found.slice(0, EXAMPLES).join("; ")}`,
  reached: found.length === 0
})

/** The value is at most the limit. A value that is not a number breaks the bound. */
export const atMost = (what: string, value: number, limit: number, unit: string): Goal => ({
  what,
  goal: `≤ ${limit} ${unit}`,
  measured: `${Number.isInteger(value) ? value : value.toFixed(1)} ${unit}`,
  reached: value <= limit
})

/** The statement is true. */
export const holds = (what: string, reached: boolean, measured = reached ? "yes" : "no"): Goal => ({
  what,
  goal: "yes",
  measured,
  reached
})
