import { Schema } from "effect"
import { MEASURED } from "./Exchanges.ts"

/*
 * What the benchmark and its load generator, a process of its own, say to each other.
 */

/** Connections that are open at a time, each with one request under way. */
export const CONNECTIONS = 32

/** What to do. */
export const LoadOrder = Schema.Struct({
  port: Schema.Number,
  operation: Schema.Literal(...MEASURED),
  /** How many to send. */
  requests: Schema.Number,
  /** How many connections are open: `CONNECTIONS` unless told otherwise. */
  connections: Schema.optional(Schema.Number),
  /** Differs among all orders, so that each changes something. */
  pass: Schema.Number
})
export interface LoadOrder extends Schema.Schema.Type<typeof LoadOrder> {}

/** What came of it. */
export const LoadResult = Schema.Struct({
  /** Requests that were answered. */
  requests: Schema.Number,
  requestsPerSecond: Schema.Number,
  /** Answers with another status than the one that is expected, and connections that broke: there should be none. */
  failures: Schema.Number,
  /** The statuses of those answers. */
  failedStatuses: Schema.Array(Schema.Number)
})
export interface LoadResult extends Schema.Schema.Type<typeof LoadResult> {}
