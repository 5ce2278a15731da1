import { Schema } from "effect"

/** Identifies refinements that require an integer. */
export const WholeNumberSchemaId: unique symbol = Symbol.for("@community-messaging/domain/WholeNumber")

/** Identifies refinements that limit the range of a number. */
export const NumberRangeSchemaId: unique symbol = Symbol.for("@community-messaging/domain/NumberRange")

const RANGE = {
  int32: { minimum: -2_147_483_648, maximum: 2_147_483_647, inWords: "-2147483648 to 2147483647" },
  // As doubles, the bounds are ±2^63. Numbers out of range are read as infinity.
  int64: { minimum: -(2 ** 63), maximum: 2 ** 63, inWords: "-9223372036854775808 to 9223372036854775807" }
} as const

/** An integer of 32 bits. Source: API reference, Conventions. */
export const Int32 = Schema.Int.pipe(
  Schema.between(RANGE.int32.minimum, RANGE.int32.maximum, { message: () => `must be ${RANGE.int32.inWords}` })
)

/** An integer from outside, in any JSON form, without bounds. One that is too large for a double is read as infinity. */
export const anyInteger = Schema.Number.pipe(
  Schema.filter((value) => Number.isInteger(value) || !Number.isFinite(value), {
    schemaId: WholeNumberSchemaId,
    message: () => "must be an integer",
    jsonSchema: { type: "integer" }
  })
)

/** An integer from outside, in any JSON form (`25`, `25.0`), within the bounds, or else the range of its format. */
export const integer = (
  format: keyof typeof RANGE,
  bounds?: { readonly minimum: number; readonly maximum: number }
): Schema.Schema<number> => {
  const { maximum, minimum } = bounds ?? RANGE[format]
  const inWords = bounds === undefined ? RANGE[format].inWords : `${minimum} to ${maximum}`
  return anyInteger.pipe(
    Schema.filter((value) => value >= minimum && value <= maximum, {
      schemaId: NumberRangeSchemaId,
      message: () => `must be ${inWords}`,
      jsonSchema: { type: "integer", format, ...bounds }
    })
  )
}
