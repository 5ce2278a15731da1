import { Schema } from "effect"

/**
 * The value as plain data, by its schema: equal values give equal data, and a difference is readable. Equal values, such as
 * two `DateTime`s, may differ in their cached fields.
 */
export const plainData = <A, I>(schema: Schema.Schema<A, I>): (value: A) => I => {
  const encode = Schema.encodeSync(schema)
  return (value) => encode(value)
}
