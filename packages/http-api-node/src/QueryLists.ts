import { Option, Schema, type SchemaAST } from "effect"
import type { Query } from "./RequestTarget.ts"

/** Whether a schema takes a string for the parameter of that name, or for the value that it is of itself. */
const takesString = (ast: SchemaAST.AST, name: string): boolean => {
  switch (ast._tag) {
    case "StringKeyword":
    case "Literal":
    case "TemplateLiteral":
    case "Enums":
      return true
    case "TypeLiteral": {
      const signature = ast.propertySignatures.find((known) => known.name === name)
      return signature === undefined
        ? ast.indexSignatures.some(({ parameter, type }) =>
          Schema.is(Schema.make(parameter))(name) && takesString(type, name)
        )
        : takesString(signature.type, name)
    }
    case "Union":
      return ast.types.some((type) => takesString(type, name))
    case "Suspend":
      return takesString(ast.f(), name)
    case "Refinement":
    case "Transformation":
      return takesString(ast.from, name)
    case "AnyKeyword":
    case "BigIntKeyword":
    case "BooleanKeyword":
    case "Declaration":
    case "NeverKeyword":
    case "NumberKeyword":
    case "ObjectKeyword":
    case "SymbolKeyword":
    case "TupleType":
    case "UndefinedKeyword":
    case "UniqueSymbol":
    case "UnknownKeyword":
    case "VoidKeyword":
      return false
  }
}

/**
 * Puts a parameter that is given once into a list of one, unless the schema of the query takes a string for it: who repeats a
 * parameter once has repeated it, too.
 */
export const listing = (schema: Option.Option<Schema.Schema.All>): (query: Query) => Query => {
  if (Option.isNone(schema)) return (query) => query
  const { ast } = schema.value
  return (query) =>
    Object.fromEntries(
      Object.entries(query).map(([name, value]) => [
        name,
        typeof value !== "string" || takesString(ast, name) ? value : [value]
      ])
    )
}
