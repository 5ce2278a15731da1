import { wellFormedIn } from "@community-messaging/domain/shared-kernel/WellFormedText"
import { Schema } from "effect"

/** A property that is stored in a column with another name. */
export const column = <A, I>(name: string, schema: Schema.Schema<A, I>) =>
  Schema.propertySignature(schema).pipe(Schema.fromKey(name))

/** An optional property. No value is stored as NULL. */
export const nullable = <A, I>(name: string, schema: Schema.Schema<A, I>) =>
  column(name, Schema.OptionFromNullOr(schema))

/** A boolean, stored as 0 or 1. */
export const Flag = Schema.transform(Schema.Literal(0, 1), Schema.Boolean, {
  strict: true,
  decode: (bit) => bit === 1,
  encode: (flag) => flag ? 1 : 0
})

/** A time, stored as Unix milliseconds. */
export const Instant = Schema.DateTimeUtcFromNumber

/** JSON escapes lone surrogates, so they would be stored. Nearly all texts have no such escape. */
const WellFormedJson = Schema.transform(Schema.String, Schema.String, {
  strict: true,
  decode: (json) => json,
  encode: (json) => json.includes("\\ud") ? JSON.stringify(wellFormedIn(JSON.parse(json))) : json
})

/** A value, stored as JSON. */
export const json = <A, I>(schema: Schema.Schema<A, I>): Schema.Schema<A, string> =>
  Schema.compose(WellFormedJson, Schema.parseJson(schema))
