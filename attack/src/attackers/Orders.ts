import { Schema } from "effect"

/*
 * The messages between the process of the attackers and its parent.
 */

/** The kind of attacks that the process makes. */
export const Plan = Schema.Struct({ kind: Schema.Literal("bodies", "clients"), short: Schema.Boolean })
export interface Plan extends Schema.Schema.Type<typeof Plan> {}

/** The attacks that the process is ready to make, in order. */
export const Ready = Schema.Array(
  Schema.Struct({ name: Schema.String, leastMillis: Schema.optional(Schema.Number) })
)

/** The attack to make now, its target and its duration. */
export const Order = Schema.Struct({
  attack: Schema.Int,
  origin: Schema.String,
  port: Schema.Int,
  millis: Schema.Number
})
export interface Order extends Schema.Schema.Type<typeof Order> {}

/** The result of an attack. */
export const Attacked = Schema.Struct({
  /** The responses, counted by status and code. */
  answers: Schema.String,
  /** Responses that must never occur. */
  forbidden: Schema.Array(Schema.String),
  /** The bounds that the attack checks itself. */
  bounds: Schema.Array(
    Schema.Struct({ what: Schema.String, goal: Schema.String, measured: Schema.String, reached: Schema.Boolean })
  )
})
export interface Attacked extends Schema.Schema.Type<typeof Attacked> {}
