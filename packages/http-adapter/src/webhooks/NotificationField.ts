import { Option, Schema } from "effect"
import { integer } from "../wire/WireType.ts"

/**
 * A field that the reference lists for the notification of a third party. Third parties send null for it or leave it
 * out; any other value of a wrong kind is a violation (API gaps, Notifications and webhooks).
 */
export const listed = <A, I, R>(schema: Schema.Schema<A, I, R>) =>
  Schema.optionalWith(schema, { as: "Option", exact: true, nullable: true })

/** How a field is documented whose kind is not checked. */
interface Documentation {
  readonly type: "string" | "boolean" | "object"
  readonly description: string
  /** What is read of an object. */
  readonly properties?: Readonly<Record<string, { readonly type: readonly ["string", "null"] }>>
  /** Of an object that is looked at as a whole: anything. */
  readonly additionalProperties?: Readonly<Record<string, never>>
}

/**
 * A field that the reference does not list but a message is better with. What is not of that schema counts as left out,
 * so that it is documented as of `type` or null, which third parties send for it, and accepted as anything.
 */
export const unlisted = <A>(
  schema: Schema.Schema<A>,
  { description, type, ...members }: Documentation
) =>
  Schema.optionalToRequired(
    Schema.Unknown.annotations({ jsonSchema: { type: [type, "null"], ...members } }),
    Schema.OptionFromSelf(schema).annotations({ description: `${description} Ignored when it is something else.` }),
    { decode: Option.filter(Schema.is(schema)), encode: (value) => value }
  )

/** An integer that a third party may write as a string as well, such as an identifier or a large number. */
export const IntegerOrString = Schema.Union(Schema.String, integer("int64"))
