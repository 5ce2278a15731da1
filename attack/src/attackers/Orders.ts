import { Schema } from "effect"

/*
 * What the attackers' process and its parent tell each other.
 */

/** Which attacks the process makes. */
export const Plan = Schema.Struct({ kind: Schema.Literal("bodies", "clients"), short: Schema.Boolean })
export interface Plan extends Schema.Schema.Type<typeof Plan> {}

/** The attacks that it is ready for, in order. */
export const Ready = Schema.Array(
  Schema.Struct({ name: Schema.String, leastMillis: Schema.optional(Schema.Number) })
)

/** Which attack to make now, on whom, and for how long. */
export const Order = Schema.Struct({
  attack: Schema.Int,
  origin: Schema.String,
  port: Schema.Int,
  millis: Schema.Number
})
export interface Order extends Schema.Schema.Type<typeof Order> {}

/** What became of an attack. */
export const Attacked = Schema.Struct({
  /** The answers, counted by status and code. */
  answers: Schema.String,
  /** Answers that must never come. */
  forbidden: Schema.Array(Schema.String),
  /** Bounds that the attack found held or broken itself. */
  bounds: Schema.Array(
    Schema.Struct({ what: Schema.String, goal: Schema.String, measured: Schema.String, reached: Schema.Boolean })
  )
})
export interface Attacked extends Schema.Schema.Type<typeof Attacked> {}
