import type { SchemaAST } from "effect"

/**
 * Whether a schema encodes every value of its type to an equal one, which is known from the schema alone: it has no
 * transformation in it, and nothing that is declared with an encoding of its own. What then need not be encoded must still
 * be what the schema says: nobody takes away members that it does not know.
 */
export const isEncodedAsIs = (ast: SchemaAST.AST): boolean => {
  // Of a schema that contains itself: while it is looked at, it does not speak against itself.
  const visited = new Set<SchemaAST.AST>()

  const asIs = (part: SchemaAST.AST): boolean => {
    if (visited.has(part)) return true
    visited.add(part)
    switch (part._tag) {
      case "Declaration":
      case "Transformation":
        return false
      case "Refinement":
        return asIs(part.from)
      case "Suspend":
        return asIs(part.f())
      case "Union":
        return part.types.every(asIs)
      case "TupleType":
        return [...part.elements, ...part.rest].every(({ type }) => asIs(type))
      case "TypeLiteral":
        return part.propertySignatures.every(({ type }) => asIs(type)) &&
          part.indexSignatures.every(({ type }) => asIs(type))
      case "AnyKeyword":
      case "BigIntKeyword":
      case "BooleanKeyword":
      case "Enums":
      case "Literal":
      case "NeverKeyword":
      case "NumberKeyword":
      case "ObjectKeyword":
      case "StringKeyword":
      case "SymbolKeyword":
      case "TemplateLiteral":
      case "UndefinedKeyword":
      case "UniqueSymbol":
      case "UnknownKeyword":
      case "VoidKeyword":
        return true
    }
  }

  return asIs(ast)
}
