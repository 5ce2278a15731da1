import { PresentAs } from "@community-messaging/json-reader/PresentAs"
import { Option, Predicate, Schema, SchemaAST } from "effect"

/**
 * A field of a notification that the API reference lists. Third parties may send null or leave it out; any other value
 * of a wrong type is a violation (API gaps, Notifications and webhooks).
 */
export const listed = <A, I, R>(schema: Schema.Schema<A, I, R>, description: string) =>
  Schema.optionalWith(Schema.NullOr(schema), { exact: true }).annotations({ description })

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
export const unlisted = (type: Schema.Schema.AnyNoContext, description: string) =>
  Schema.optionalWith(
    Schema.Unknown.annotations({ jsonSchema: documentationOf(type.ast), [PresentAs]: type.ast }),
    { exact: true }
  ).annotations({ description: `${description} Ignored when it is something else.` })

/** Returns a listed value; none if it is null or left out. */
export const listedOf = Option.fromNullable

/** Returns the first of two listed texts that is not blank. */
export const nonBlankOf = (
  text: string | null | undefined,
  alternative: string | null | undefined
): Option.Option<string> => Option.fromNullable((text ?? "").trim() === "" ? alternative : text)

/** Returns an unlisted string; none if it is something else. */
export const stringOf = Option.liftPredicate(Predicate.isString)

/** Returns an unlisted boolean; none if it is something else. */
export const booleanOf = Option.liftPredicate(Predicate.isBoolean)

/** Returns an unlisted object; none if it is something else. */
export const recordOf = Option.liftPredicate(Predicate.isRecord)

/** Returns the name of an unlisted object; none if it has no name. */
export const nameOf = (value: unknown): Option.Option<string> =>
  Option.flatMap(recordOf(value), ({ name }) => stringOf(name))
