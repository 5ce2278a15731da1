import { Schema } from "effect"
import { MEASURED } from "./Exchanges.ts"

/*
 * The messages between the benchmark and its load generator, which is another process.
 */

/** Connections that are open at a time, each with one request under way. */
export const CONNECTIONS = 32

/** An order for the load generator. */
export const LoadOrder = Schema.Struct({
  port: Schema.Number,
  operation: Schema.Literal(...MEASURED),
  /** How many to send. */
  requests: Schema.Number,
  /** How many connections are open; `CONNECTIONS` by default. */
  connections: Schema.optional(Schema.Number),
  /** Different in every order, so that each changes something. */
  pass: Schema.Number
})
export interface LoadOrder extends Schema.Schema.Type<typeof LoadOrder> {}

/** The result of an order. */
export const LoadResult = Schema.Struct({
  /** Requests that were answered. */
  requests: Schema.Number,
  requestsPerSecond: Schema.Number,
  /** Responses with an unexpected status, and broken connections: there should be none. */
  failures: Schema.Number,
  /** The unexpected statuses. */
  failedStatuses: Schema.Array(Schema.Number)
})
export interface LoadResult extends Schema.Schema.Type<typeof LoadResult> {}
