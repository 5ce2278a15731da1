import { Option, Predicate, Schema, SchemaAST } from "effect"
import { PresentAs } from "../wire/PresentAs.ts"
import type { Excerpt } from "../wire/RequestBody.ts"

/** What of a value in a body is kept while the body is read. Numbers, booleans and null are always kept. */
export interface Projection {
  /** The maximum length of a string, which is cut there; 0 where no string is expected. */
  readonly text: number
  /** The members of an object that are kept, by name. */
  readonly members: ReadonlyMap<string, Projection>
  /** The lengths of their names, in bytes. */
  readonly lengthsOfNames: ReadonlySet<number>
  /** The length of the longest name, in UTF-16 code units. */
  readonly longestName: number
  /** What is kept of an array; undefined where no array is expected. */
  readonly items: { readonly each: Projection; readonly limit: number } | undefined
}

const withMembers = (members: ReadonlyMap<string, Projection>) => {
  const names = Array.from(members.keys())
  return {
    members,
    lengthsOfNames: new Set(names.map((name) => Buffer.byteLength(name))),
    longestName: Math.max(0, ...names.map(({ length }) => length))
  }
}

const SCALAR: Projection = { ...withMembers(new Map()), text: 0, items: undefined }

const merge = (one: Projection, other: Projection): Projection => ({
  ...withMembers(
    new Map([
      ...one.members,
      ...Array.from(other.members, ([name, member]) => {
        const known = one.members.get(name)
        return [name, known === undefined ? member : merge(known, member)] as const
      })
    ])
  ),
  text: Math.max(one.text, other.text),
  items: one.items === undefined || other.items === undefined ? one.items ?? other.items : {
    each: merge(one.items.each, other.items.each),
    limit: Math.max(one.items.limit, other.items.limit)
  }
})

const hasMaxItems = Schema.is(Schema.Struct({ maxItems: Schema.Int }))

/** Returns the maximum number of items that a refinement allows. */
const maxItemsOf = (ast: SchemaAST.Refinement): Option.Option<number> =>
  Option.contains(SchemaAST.getSchemaIdAnnotation(ast), Schema.MaxItemsSchemaId)
    ? Option.map(Option.filter(SchemaAST.getJSONSchemaAnnotation(ast), hasMaxItems), ({ maxItems }) => maxItems)
    : Option.none()

const ofAst = (ast: SchemaAST.AST, excerpt: Excerpt, maxItems: Option.Option<number>): Projection => {
  const of = (part: SchemaAST.AST) => ofAst(part, excerpt, Option.none())
  switch (ast._tag) {
    case "StringKeyword":
    case "TemplateLiteral":
      return { ...SCALAR, text: excerpt.text }
    case "Literal":
      return Predicate.isString(ast.literal) ? { ...SCALAR, text: excerpt.text } : SCALAR
    case "NumberKeyword":
    case "BooleanKeyword":
    case "ObjectKeyword":
      return SCALAR
    case "UnknownKeyword":
      return Option.match(SchemaAST.getAnnotation<SchemaAST.AST>(PresentAs)(ast), { onNone: () => SCALAR, onSome: of })
    case "Refinement":
      return ofAst(ast.from, excerpt, Option.orElse(maxItemsOf(ast), () => maxItems))
    case "Transformation":
      return of(ast.from)
    case "Union":
      return ast.types.map(of).reduce(merge, SCALAR)
    case "TypeLiteral":
      if (ast.indexSignatures.length > 0) throw new Error("A body must name its members")
      return {
        ...SCALAR,
        ...withMembers(new Map(ast.propertySignatures.map(({ name, type }) => [String(name), of(type)])))
      }
    case "TupleType": {
      const [item] = ast.rest
      // One more than the maximum, so that the schema sees that there are too many.
      const limit = Option.match(maxItems, { onNone: () => excerpt.items, onSome: (maximum) => maximum + 1 })
      if (item === undefined || !Number.isFinite(limit)) throw new Error("An array in a body needs a maximum of items")
      return { ...SCALAR, items: { each: of(item.type), limit } }
    }
    default:
      throw new Error(`A body cannot have a ${ast._tag}`)
  }
}

/**
 * Returns the projection of a body to what its schema reads. The schema gives the same result for the projection as for
 * the whole body: members that it does not have are left out, and an array has one item more than the schema allows. Where
 * an excerpt is enough, long strings are cut and long arrays have their first items and their total (`Excerpt`).
 */
export const of = <A, I, R>(schema: Schema.Schema<A, I, R>, excerpt: Excerpt): Projection =>
  ofAst(schema.ast, excerpt, Option.none())
