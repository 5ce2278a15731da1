import { MOMENT_IN_WORDS, parseMoment } from "@community-messaging/http-adapter/wire/WireType"
import { DateTime, ParseResult, Schema } from "effect"

/** A timestamp. */
export const Moment = Schema.transformOrFail(Schema.String, Schema.DateTimeUtcFromSelf, {
  strict: true,
  decode: (text, _, ast) => ParseResult.fromOption(parseMoment(text), () => new ParseResult.Type(ast, text)),
  encode: (moment) => ParseResult.succeed(DateTime.formatIso(moment))
}).annotations({ message: () => MOMENT_IN_WORDS })

/** A name that is not empty. */
export const Name = Schema.NonEmptyString.annotations({ message: () => "must not be empty" })

/** An optional field, left out if it has no value. A null counts as missing, see `RecordKind`. */
export const optional = <A, I, R>(schema: Schema.Schema<A, I, R>) =>
  Schema.optionalWith(schema, { as: "Option", exact: true })

/** An optional field under its name in the API. */
export const optionalNamed = <const Name extends string, A, I, R>(name: Name, schema: Schema.Schema<A, I, R>) =>
  Schema.fromKey(optional(schema), name)

/** A field with a default value. */
export const withDefault = <A, I, R>(schema: Schema.Schema<A, I, R>, value: () => NoInfer<A>) =>
  Schema.optionalWith(schema, { default: value, exact: true })

/** A field with a default value, under its name in the API. */
export const withDefaultNamed = <const Name extends string, A, I, R>(
  name: Name,
  schema: Schema.Schema<A, I, R>,
  value: () => NoInfer<A>
) => Schema.fromKey(withDefault(schema, value), name)

/** A field under its name in the API. */
export const named = <const Name extends string, A, I, R>(name: Name, schema: Schema.Schema<A, I, R>) =>
  Schema.propertySignature(schema).pipe(Schema.fromKey(name))
