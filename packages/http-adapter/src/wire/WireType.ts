import { integer, NumberRangeSchemaId, WholeNumberSchemaId } from "@community-messaging/domain/shared-kernel/Integer"
import * as DomainMoment from "@community-messaging/domain/shared-kernel/Moment"
import { DateTime, Option, Schema, SchemaAST } from "effect"

/*
 * The types of requests and resources. Responses are not checked: they are made from validated entities, and a value that is
 * not transformed needs no encoding.
 */

/** An integer in a parameter: decimal digits, within the bounds. */
export const integerText = (bounds: {
  readonly minimum: number
  readonly maximum: number
}): Schema.Schema<number, string> =>
  Schema.transform(
    Schema.String.pipe(
      Schema.pattern(/^-?\d+$/, {
        schemaId: WholeNumberSchemaId,
        message: () => "must be an integer"
      })
    ),
    Schema.Number.pipe(
      Schema.filter((value) => value >= bounds.minimum && value <= bounds.maximum, {
        schemaId: NumberRangeSchemaId,
        message: () => `must be ${bounds.minimum} to ${bounds.maximum}`
      })
    ),
    { strict: true, decode: Number, encode: String }
  ).annotations({ jsonSchema: { type: "integer", format: "int64", ...bounds } })

/** A list in a request with a maximum number of items. */
export const atMost = <A, I>(maximum: number, items: Schema.Schema<A, I>) =>
  Schema.Array(items).pipe(
    Schema.maxItems(maximum, {
      title: `At most ${maximum} items`,
      message: () => `must have at most ${maximum} items`
    })
  )

const snowflakeJsonSchema = {
  type: "string",
  format: "snowflake",
  pattern: "^(0|[1-9][0-9]*)$",
  maxLength: 19,
  description: "A snowflake: decimal digits without leading zeros, at most 9223372036854775807."
} as const

/** A snowflake in a request, decoded to an id of the domain. */
export const snowflake = <A>(id: Schema.Schema<A, string>): Schema.Schema<A, string> =>
  id.annotations({ jsonSchema: snowflakeJsonSchema })

/** A snowflake in a resource. */
export const Snowflake = Schema.String.annotations({ jsonSchema: snowflakeJsonSchema })

/** A 32-bit integer in a resource. */
export const Int32 = integer("int32")

/** A 64-bit integer in a resource. */
export const Int64 = Schema.Int.annotations({
  schemaId: WholeNumberSchemaId,
  message: () => "must be an integer",
  jsonSchema: { type: "integer", format: "int64" }
})

/** A timestamp in a resource: ISO 8601 in UTC with milliseconds and `Z`. */
export const Timestamp = Schema.String.annotations({ jsonSchema: { type: "string", format: "date-time" } })

/** Returns the moment as a `Timestamp`; null if there is none. */
export const isoOrNull = (moment: Option.Option<DateTime.Utc>): string | null =>
  Option.getOrNull(Option.map(moment, DateTime.formatIso))

/** A moment: shown as `Timestamp`, and accepted with any offset. */
export const Moment = DomainMoment.Moment.annotations({ jsonSchema: { type: "string", format: "date-time" } })

/** A field that may have no value: always present, `null` if there is no value. */
export const nullable = <A>(schema: Schema.Schema<A>) => Schema.NullOr(schema)

/** A field that is always present. */
export const field = <A, I, R>(schema: Schema.Schema<A, I, R>, description: string) =>
  Schema.propertySignature(schema).annotations({ description })

/** A field that is left out if there is no value. */
export const optional = <A, I, R>(schema: Schema.Schema<A, I, R>, description: string) =>
  Schema.optionalWith(schema, { exact: true }).annotations({ description })

/** A field that is always present. `name` is its name on the wire, where its description belongs, too. */
export const named = <A, I, R, const Name extends string>(
  schema: Schema.Schema<A, I, R>,
  description: string,
  name: Name
) => Schema.fromKey(field(schema, description), name).annotations({ description })

const described = (description: string) => ({ [SchemaAST.DescriptionAnnotationId]: description })

const optionOf = <A, I>(schema: Schema.Schema<A, I>) => Schema.OptionFromSelf(Schema.typeSchema(schema))

/**
 * A field that is an `Option` in the entity, and is left out on the wire if it has no value. `name` is its name there, if
 * that is another one.
 */
export const optionField = <A, I, const Name extends string = never>(
  schema: Schema.Schema<A, I>,
  description: string,
  name?: Name
): Schema.PropertySignature<":", Option.Option<A>, NoInfer<Name>, "?:", I> =>
  Schema.makePropertySignature(
    new Schema.PropertySignatureTransformation(
      new Schema.FromPropertySignature(schema.ast, true, true, described(description), name),
      new Schema.ToPropertySignature(optionOf(schema).ast, false, true, described(description), undefined),
      Option.some,
      Option.flatten
    )
  )

const wireSideOf = (ast: SchemaAST.AST): SchemaAST.AST => {
  if (SchemaAST.isTransformation(ast)) return SchemaAST.annotations(wireSideOf(ast.from), ast.annotations)
  if (SchemaAST.isTypeLiteral(ast)) {
    const fields = ast.propertySignatures.map(({ annotations, isOptional, isReadonly, name, type }) =>
      new SchemaAST.PropertySignature(name, wireSideOf(type), isOptional, isReadonly, annotations)
    )
    return new SchemaAST.TypeLiteral(fields, ast.indexSignatures, ast.annotations)
  }
  if (!SchemaAST.isTupleType(ast)) return ast
  const rest = ast.rest.map(({ annotations, type }) => new SchemaAST.Type(wireSideOf(type), annotations))
  return new SchemaAST.TupleType(ast.elements, rest, ast.isReadonly, ast.annotations)
}

/** The schema of the encoded values. `Schema.encodedSchema` has no names and descriptions. */
export const onWire = <A, I>(schema: Schema.Schema<A, I>): Schema.Schema<I> => Schema.make(wireSideOf(schema.ast))
