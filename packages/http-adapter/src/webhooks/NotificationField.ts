import { Option, Predicate, Schema } from "effect"
import { totalOf } from "../wire/Excerpt.ts"
import { PresentAs } from "../wire/PresentAs.ts"
import { anyInteger } from "../wire/WireType.ts"

/**
 * A field of a notification that the API reference lists. Third parties may send null or leave it out; any other value
 * of a wrong type is a violation (API gaps, Notifications and webhooks).
 */
export const listed = <A, I, R>(schema: Schema.Schema<A, I, R>, description: string) =>
  Schema.optionalWith(schema, { as: "Option", exact: true, nullable: true }).annotations({ description })

/** The documentation of a member of an object whose type is not checked. */
interface Member {
  readonly type: readonly ["string" | "array" | "object", "null"]
  readonly description: string
  readonly properties?: Readonly<Record<string, Member>>
  readonly items?: { readonly type: "string" }
}

/** The documentation of a field whose type is not checked. */
interface Documentation {
  readonly type: "string" | "boolean" | "object"
  readonly description: string
  /** The properties of an object that third parties send. */
  readonly properties?: Readonly<Record<string, Member>>
}

/**
 * A field of a notification that the API reference does not list but messages use. A value of another type is treated
 * as missing, so any value is accepted. It is documented as `type` or null, because third parties send null.
 */
export const unlisted = <A>(
  schema: Schema.Schema<A>,
  { description, type, ...members }: Documentation
) =>
  Schema.optionalToRequired(
    Schema.Unknown.annotations({ jsonSchema: { type: [type, "null"], ...members }, [PresentAs]: schema.ast }),
    Schema.OptionFromSelf(schema).annotations({ description: `${description} Ignored when it is something else.` }),
    { decode: Option.filter(Schema.is(schema)), encode: (value) => value }
  )

/**
 * An integer of any size that third parties may also send as a string, such as an identifier. It is documented without
 * `int64`, which some validators read as 53 bits.
 */
export const IntegerOrString = Schema.Union(Schema.String, anyInteger)

/** Returns the text of an integer; none if it was rounded, because no double has its value. */
export const exactText = (value: typeof IntegerOrString.Type): Option.Option<string> =>
  Predicate.isString(value) || Number.isSafeInteger(value) ? Option.some(String(value)) : Option.none()

/** An array: its first items are read, and the others only counted. */
export const counted = <A, I, R>(items: Schema.Schema<A, I, R>) =>
  Schema.transform(
    Schema.Array(items),
    Schema.Struct({ first: Schema.Array(Schema.typeSchema(items)), total: Schema.NonNegativeInt }),
    {
      strict: true,
      decode: (first, array) => ({ first, total: totalOf(array) }),
      encode: ({ first }) => first
    }
  )
