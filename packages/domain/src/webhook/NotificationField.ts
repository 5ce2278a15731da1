import { Option, Predicate, Schema, SchemaAST } from "effect"
import { anyInteger, integer } from "../shared-kernel/Integer.ts"

/*
 * The fields of third parties' notifications. They have the third party's names. A field that is missing or null has no
 * value (API gaps, Notifications and webhooks).
 */

/** A field that the API reference lists. A value of a wrong type is a violation. */
export const listed = <A, I, R>(schema: Schema.Schema<A, I, R>, description: string) =>
  Schema.optionalWith(Schema.NullOr(schema), { exact: true }).annotations({ description })

/** A listed text. */
export const text = (description: string) => listed(Schema.String, description)

/** A listed number. */
export const number = (description: string) => listed(integer("int64"), description)

/**
 * A listed integer of any size that third parties may also send as a string, such as an identifier. It is documented
 * without `int64`, which some validators read as 53 bits.
 */
export const integerOrText = (description: string) => listed(Schema.Union(Schema.String, anyInteger), description)

const SOMETHING_ELSE = Schema.transform(Schema.Unknown, Schema.Null, {
  strict: true,
  decode: () => null,
  encode: (value) => value
})

/** A value of the type, or null for any other value. It is documented as its type or null, which third parties send. */
const orNull = <A, I, R>(type: Schema.Schema<A, I, R>, name: string, documentation: object = {}) =>
  Schema.Union(type, SOMETHING_ELSE).annotations({ jsonSchema: { type: [name, "null"], ...documentation } })

/** A text, or null for any other value. */
export const TextOrNull = orNull(Schema.String, "string")

/** A boolean, or null for any other value. */
export const BooleanOrNull = orNull(Schema.Boolean, "boolean")

/** An array of texts, each null if it is something else, or null for any other value. */
export const TextsOrNull = orNull(Schema.Array(TextOrNull), "array", { items: { type: "string" } })

/** An object with these fields, which are `unchecked`, or null for any other value. */
export const objectOrNull = <Fields extends Schema.Struct.Fields>(fields: Fields) => {
  const type = Schema.Struct(fields)
  const members = SchemaAST.getPropertySignatures(type.ast).map((member): readonly [PropertyKey, object] => [
    member.name,
    {
      ...Option.getOrThrow(SchemaAST.getJSONSchemaAnnotation(member.type)),
      description: Option.getOrThrow(SchemaAST.getDescriptionAnnotation(member))
    }
  ])
  return orNull(type, "object", { properties: Object.fromEntries(members) })
}

/** A field of an `objectOrNull`. */
export const unchecked = <A, I, R>(type: Schema.Schema<A, I, R>, description: string) =>
  Schema.optionalWith(type, { exact: true }).annotations({ description })

/** A field that the API reference does not list but messages use. A value of another type has no meaning. */
export const unlisted = <A, I, R>(type: Schema.Schema<A, I, R>, description: string) =>
  unchecked(type, `${description} A value of another type is ignored.`)

/** A text of a notification, which may have no value. */
export type Text = string | null | undefined

/** Returns the trimmed text; empty if there is none. */
export const textOf = (value: Text): string => value?.trim() ?? ""

/** Returns the first text that is not blank, trimmed; empty if all are blank. */
export const firstNonBlank = (...texts: ReadonlyArray<Text>): string => texts.map(textOf).find((it) => it !== "") ?? ""

/** Whether there is a number, and no double rounded it: a link to a rounded number would show something else. */
export const isExact = (value: number | null | undefined): value is number => Number.isSafeInteger(value)

/** Returns the text of an integer; empty if there is none, or if it was rounded. */
export const exactText = (value: string | number | null | undefined): string =>
  Predicate.isString(value) ? value : isExact(value) ? String(value) : ""
