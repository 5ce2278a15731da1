import { DateTime, Option, Schema } from "effect"

/** ISO 8601 with its offset: what lacks one is another moment on another machine. Years beyond four digits have a sign. */
const MOMENT = /^([+-]\d{2})?\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(:\d{2}(\.\d+)?)?(Z|[+-]\d{2}:\d{2})$/

/** A moment. */
export const Moment = Schema.compose(
  Schema.String.pipe(
    Schema.filter((text) => MOMENT.test(text) && Option.isSome(DateTime.make(text)), {
      message: () => "must be a date and time with its offset, such as 2027-03-28T09:30:00Z"
    })
  ),
  Schema.DateTimeUtc
)

/** A field that may have no value: left out when written. A null counts as left out, see `RecordKind`. */
export const optional = <A, I, R>(schema: Schema.Schema<A, I, R>) =>
  Schema.optionalWith(schema, { as: "Option", exact: true })

/** A field that may have no value, under another name in the file: the reference's. */
export const optionalNamed = <const Name extends string, A, I, R>(name: Name, schema: Schema.Schema<A, I, R>) =>
  Schema.fromKey(optional(schema), name)

/** A field that has that value when it is left out. */
export const withDefault = <A, I, R>(schema: Schema.Schema<A, I, R>, value: () => NoInfer<A>) =>
  Schema.optionalWith(schema, { default: value, exact: true })

/** A field that has that value when it is left out, under another name in the file. */
export const withDefaultNamed = <const Name extends string, A, I, R>(
  name: Name,
  schema: Schema.Schema<A, I, R>,
  value: () => NoInfer<A>
) => Schema.fromKey(withDefault(schema, value), name)

/** A field under another name in the file. */
export const named = <const Name extends string, A, I, R>(name: Name, schema: Schema.Schema<A, I, R>) =>
  Schema.propertySignature(schema).pipe(Schema.fromKey(name))
