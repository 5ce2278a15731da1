import { Schema } from "effect"

/**
 * The value as plain data, by its schema: equal values give equal data, and a difference is readable. Equal values may
 * differ in what they have cached: two `DateTime`s, for example.
 */
export const plainData = <A, I>(schema: Schema.Schema<A, I>): (value: A) => I => {
  const encode = Schema.encodeSync(schema)
  return (value) => encode(value)
}
