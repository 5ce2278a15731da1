import { Schema } from "effect"

/** A property of the entity that is kept in a column of another name. */
export const column = <A, I>(name: string, schema: Schema.Schema<A, I>) =>
  Schema.propertySignature(schema).pipe(Schema.fromKey(name))

/** A property that may have no value: NULL. */
export const nullable = <A, I>(name: string, schema: Schema.Schema<A, I>) =>
  column(name, Schema.OptionFromNullOr(schema))

/** 0 or 1. */
export const Flag = Schema.transform(Schema.Literal(0, 1), Schema.Boolean, {
  strict: true,
  decode: (bit) => bit === 1,
  encode: (flag) => flag ? 1 : 0
})

/** Milliseconds since the Unix epoch. */
export const Instant = Schema.DateTimeUtcFromNumber
