import { Option, Predicate, Schema, SchemaAST } from "effect"
import { type Excerpt, WHOLE } from "./Excerpt.ts"

/** A member of an object that is kept. */
export interface Member {
  readonly name: string
  /** The name in UTF-8. */
  readonly bytes: Uint8Array
  readonly projection: Projection
}

/** Which parts of a value are kept while it is read. Numbers, booleans and null are always kept. */
export interface Projection {
  /** The maximum length of a string in UTF-16 units, which is cut there; 0 if no string is expected. */
  readonly maxTextLength: number
  /** The members of an object that are kept, by the lengths of their names in bytes. */
  readonly membersByLength: ReadonlyArray<ReadonlyArray<Member>>
  /** What is kept of an array; undefined if no array is expected. */
  readonly items: { readonly each: Projection; readonly limit: number } | undefined
}

const byLength = (members: ReadonlyMap<string, Projection>): Projection["membersByLength"] => {
  const all = Array.from(members, ([name, projection]): Member => ({ name, bytes: Buffer.from(name), projection }))
  const longest = Math.max(-1, ...all.map(({ bytes }) => bytes.length))
  return Array.from({ length: longest + 1 }, (_, length) => all.filter(({ bytes }) => bytes.length === length))
}

const isAt = (bytes: Uint8Array, start: number, expected: Uint8Array): boolean => {
  // Many names begin alike.
  for (let index = expected.length - 1; index >= 0; index -= 1) {
    if (bytes[start + index] !== expected[index]) return false
  }
  return true
}

/** Returns the member with this name in UTF-8. To make a string of the name would take longer than that. */
export const memberAt = (
  { membersByLength }: Projection,
  bytes: Uint8Array,
  start: number,
  end: number
): Member | undefined => {
  const candidates = membersByLength[end - start]
  if (candidates === undefined) return undefined
  for (const candidate of candidates) {
    if (isAt(bytes, start, candidate.bytes)) return candidate
  }
  return undefined
}

const SCALAR: Projection = { membersByLength: [], maxTextLength: 0, items: undefined }

const mergeMembers = (one: Projection, other: Projection): Projection["membersByLength"] => {
  const merged = new Map<string, Projection>()
  for (const { name, projection } of [...one.membersByLength.flat(), ...other.membersByLength.flat()]) {
    const known = merged.get(name)
    merged.set(name, known === undefined ? projection : merge(known, projection))
  }
  return byLength(merged)
}

const merge = (one: Projection, other: Projection): Projection => ({
  membersByLength: mergeMembers(one, other),
  maxTextLength: Math.max(one.maxTextLength, other.maxTextLength),
  items: one.items === undefined || other.items === undefined ? one.items ?? other.items : {
    each: merge(one.items.each, other.items.each),
    limit: Math.max(one.items.limit, other.items.limit)
  }
})

/** The maxima of the value, from the refinements around it; infinite if there are none. */
interface Maxima {
  readonly items: number
  readonly length: number
}

/** How much of the value is kept. */
export interface Options {
  readonly excerpt: Excerpt
  /**
   * Identifies the refinement that limits the length of a text, in code points or UTF-16 code units, and documents it as
   * `maxLength` of JSON Schema. By default that of `Schema.maxLength`. Other texts are kept as far as the excerpt allows.
   */
  readonly maxLengthSchemaId: symbol
}

const NO_MAXIMA: Maxima = { items: Number.POSITIVE_INFINITY, length: Number.POSITIVE_INFINITY }

const hasMaxItems = Schema.is(Schema.Struct({ maxItems: Schema.Int }))
const hasMaxLength = Schema.is(Schema.Struct({ maxLength: Schema.Int }))

/** Returns the maxima with those of a refinement. The innermost refinement of a kind counts, as it is checked first. */
const withRefinement = (
  ast: SchemaAST.Refinement,
  { items, length }: Maxima,
  { maxLengthSchemaId }: Options
): Maxima => {
  const id = Option.getOrUndefined(SchemaAST.getSchemaIdAnnotation(ast))
  const documented = Option.getOrUndefined(SchemaAST.getJSONSchemaAnnotation(ast))
  return {
    items: id === Schema.MaxItemsSchemaId && hasMaxItems(documented) ? documented.maxItems : items,
    length: id === maxLengthSchemaId && hasMaxLength(documented) ? documented.maxLength : length
  }
}

const ofAst = (ast: SchemaAST.AST, options: Options, maxima: Maxima): Projection => {
  const { excerpt } = options
  const of = (part: SchemaAST.AST) => ofAst(part, options, NO_MAXIMA)
  // A code point has at most two UTF-16 code units. A text is kept beyond its maximum, so that the schema finds it too long.
  const maxTextLength = Math.min(excerpt.text, 2 * (maxima.length + 1))
  switch (ast._tag) {
    case "StringKeyword":
    case "TemplateLiteral":
      return { ...SCALAR, maxTextLength }
    case "Literal":
      return Predicate.isString(ast.literal) ? { ...SCALAR, maxTextLength } : SCALAR
    case "NumberKeyword":
    case "BooleanKeyword":
    case "ObjectKeyword":
    case "UnknownKeyword":
      return SCALAR
    case "Refinement":
      return ofAst(ast.from, options, withRefinement(ast, maxima, options))
    case "Transformation":
      return of(ast.from)
    case "Union":
      return ast.types.map(of).reduce(merge, SCALAR)
    case "TypeLiteral":
      if (ast.indexSignatures.length > 0) throw new Error("An object that is read must name its members")
      return {
        ...SCALAR,
        membersByLength: byLength(new Map(ast.propertySignatures.map(({ name, type }) => [String(name), of(type)])))
      }
    case "TupleType": {
      const [item] = ast.rest
      // One more than the maximum, so that the schema finds that there are too many.
      const limit = Number.isFinite(maxima.items) ? maxima.items + 1 : excerpt.items
      if (item === undefined || !Number.isFinite(limit)) {
        throw new Error("An array that is read needs a maximum of items")
      }
      return { ...SCALAR, items: { each: of(item.type), limit } }
    }
    case "AnyKeyword":
    case "BigIntKeyword":
    case "Declaration":
    case "Enums":
    case "NeverKeyword":
    case "Suspend":
    case "SymbolKeyword":
    case "UndefinedKeyword":
    case "UniqueSymbol":
    case "VoidKeyword":
      throw new Error(`JSON that is read cannot have a ${ast._tag}`)
  }
}

/**
 * Returns the projection of a value to what its schema reads. The schema gives the same result for the projection as for
 * the whole value: members that it does not have are left out, and a list or a text that is too long is only just too long.
 * Where an excerpt is enough, long strings are cut and long arrays have their first items and their total (`Excerpt`).
 */
export const of = <A, I, R>(schema: Schema.Schema<A, I, R>, options: Partial<Options> = {}): Projection =>
  ofAst(schema.ast, { excerpt: WHOLE, maxLengthSchemaId: Schema.MaxLengthSchemaId, ...options }, NO_MAXIMA)
