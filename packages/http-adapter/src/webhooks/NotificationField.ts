import { PresentAs } from "@community-messaging/json-reader/PresentAs"
import { Option, Schema, SchemaAST } from "effect"

/**
 * A field of a notification that the API reference lists. Third parties may send null or leave it out; any other value
 * of a wrong type is a violation (API gaps, Notifications and webhooks).
 */
export const listed = <A, I, R>(schema: Schema.Schema<A, I, R>, description: string) =>
  Schema.optionalWith(schema, { as: "Option", exact: true, nullable: true }).annotations({ description })

/** A member of an object whose type is not checked, with the type by which it is read. */
export const unchecked = (type: Schema.Schema.AnyNoContext, description: string) =>
  Schema.optionalWith(Schema.Unknown.annotations({ [PresentAs]: type.ast }), { exact: true }).annotations({
    description
  })

/** The type that third parties send, or null. */
const documentationOf = (type: SchemaAST.AST): object => {
  const ast = Option.getOrElse(SchemaAST.getAnnotation<SchemaAST.AST>(PresentAs)(type), () => type)
  if (SchemaAST.isBooleanKeyword(ast)) return { type: ["boolean", "null"] }
  if (SchemaAST.isTupleType(ast)) return { type: ["array", "null"], items: { type: "string" } }
  if (SchemaAST.isObjectKeyword(ast)) {
    return { type: ["object", "null"], ...Option.getOrUndefined(SchemaAST.getJSONSchemaAnnotation(ast)) }
  }
  if (!SchemaAST.isTypeLiteral(ast)) return { type: ["string", "null"] }
  const members = ast.propertySignatures.map((member): readonly [PropertyKey, object] => [
    member.name,
    { ...documentationOf(member.type), description: Option.getOrThrow(SchemaAST.getDescriptionAnnotation(member)) }
  ])
  return { type: ["object", "null"], properties: Object.fromEntries(members) }
}

/**
 * A field of a notification that the API reference does not list but messages use. A value of another type is treated
 * as missing, so any value is accepted. It is documented as its type or null, because third parties send null.
 */
export const unlisted = <A>(schema: Schema.Schema<A>, description: string) =>
  Schema.optionalToRequired(
    Schema.Unknown.annotations({ jsonSchema: documentationOf(schema.ast), [PresentAs]: schema.ast }),
    Schema.OptionFromSelf(schema).annotations({ description: `${description} Ignored when it is something else.` }),
    { decode: Option.filter(Schema.is(schema)), encode: (value) => value }
  )
