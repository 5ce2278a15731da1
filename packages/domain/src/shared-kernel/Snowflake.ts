import { Context, DateTime, Schema } from "effect"
import { WITHOUT_VALIDATION } from "./WithoutValidation.ts"

/** The largest snowflake: it fits a signed 64-bit integer column. */
export const MAX_SNOWFLAKE = 9_223_372_036_854_775_807n

/** Identifies the refinement that checks the decimal form of a snowflake. */
export const SnowflakeFormatSchemaId: unique symbol = Symbol.for("@community-messaging/domain/SnowflakeFormat")

/** Identifies the refinement that checks the range of a snowflake. */
export const SnowflakeRangeSchemaId: unique symbol = Symbol.for("@community-messaging/domain/SnowflakeRange")

const DECIMAL = /^(0|[1-9][0-9]*)$/

const MAX_SNOWFLAKE_DIGITS = MAX_SNOWFLAKE.toString()

const fitsSigned64Bits = (digits: string): boolean =>
  digits.length < MAX_SNOWFLAKE_DIGITS.length ||
  (digits.length === MAX_SNOWFLAKE_DIGITS.length && digits <= MAX_SNOWFLAKE_DIGITS)

/**
 * A unique identifier with its creation time in the upper bits: a string of decimal digits matching
 * `^(0|[1-9][0-9]*)$`, at most 9223372036854775807.
 *
 * Source: API reference, Conventions; API gaps, Wire conventions.
 */
export const Snowflake = Schema.String.pipe(
  Schema.pattern(DECIMAL, {
    schemaId: SnowflakeFormatSchemaId,
    description: "a snowflake: a string of decimal digits",
    message: () => "must be a snowflake: a string of decimal digits without leading zeros"
  }),
  Schema.filter(fitsSigned64Bits, {
    schemaId: SnowflakeRangeSchemaId,
    message: () => `must be at most ${MAX_SNOWFLAKE_DIGITS}`,
    arbitrary: () => (fc) => fc.bigInt({ min: 0n, max: MAX_SNOWFLAKE }).map((value) => value.toString())
  }),
  Schema.brand("Snowflake")
)
export type Snowflake = typeof Snowflake.Type

/** Returns whether the value is a snowflake, as the schema does but ten times faster. For large amounts of data. */
export const isSnowflake = (value: unknown): value is Snowflake =>
  typeof value === "string" && DECIMAL.test(value) && fitsSigned64Bits(value)

/** Brands the snowflake as an id: `toId(WebhookId, snowflake)`. A snowflake is already validated. */
export const toId = <Id extends Snowflake>(
  kind: { readonly make: (snowflake: Snowflake, options: typeof WITHOUT_VALIDATION) => Id },
  snowflake: Snowflake
): Id => kind.make(snowflake, WITHOUT_VALIDATION)

/** Compares snowflakes as integers, which is the order of their creation. */
export const compare = (self: Snowflake, that: Snowflake): -1 | 0 | 1 =>
  self === that ? 0 : self.length < that.length || (self.length === that.length && self < that) ? -1 : 1

/** The number of bits by which the creation time is shifted to the left in a snowflake. */
export const TIMESTAMP_SHIFT = 22n

/**
 * The epoch of snowflakes, as Unix milliseconds: 2015-01-01T00:00:00Z by default (API gaps, Wire conventions). A
 * setting of the server.
 */
export class SnowflakeEpoch extends Context.Reference<SnowflakeEpoch>()("@community-messaging/domain/SnowflakeEpoch", {
  defaultValue: () => 1_420_070_400_000
}) {}

/** Returns when the snowflake was generated, in Unix milliseconds: `(id >> 22) + epoch`. */
export const createdAtMillis = (self: Snowflake, epoch: number): number =>
  Number(BigInt(self) >> TIMESTAMP_SHIFT) + epoch

/** Returns the largest snowflake of a millisecond since the epoch. */
export const lastOfMillis = (millis: number): Snowflake => {
  const last = ((BigInt(millis) + 1n) << TIMESTAMP_SHIFT) - 1n
  return Snowflake.make((last < MAX_SNOWFLAKE ? last : MAX_SNOWFLAKE).toString(), WITHOUT_VALIDATION)
}

/** Returns when the snowflake was generated: `(id >> 22) + epoch`. */
export const createdAt = (self: Snowflake, epoch: number): DateTime.Utc =>
  DateTime.unsafeMake(createdAtMillis(self, epoch))
