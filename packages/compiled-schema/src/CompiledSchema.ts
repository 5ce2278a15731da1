import { Either, identity, Option, type ParseResult, Predicate, Schema, SchemaAST } from "effect"

/*
 * Compiles a schema to a plain function. `Schema` interprets the description of a type for each value, and visits most
 * values more than once; here the description is interpreted once. The function returns a result only if the value matches.
 * For all other values, and for schemas that it does not support, `Schema` does the work and reports the errors.
 */

const NO_MATCH = Symbol("no match")

type Step = (value: unknown) => unknown

interface Direction {
  /** From the type to its encoded form. */
  readonly isEncoding: boolean
  /** Refinements are not checked: the value passed them before. */
  readonly isTrusting: boolean
}

const DECODE: Direction = { isEncoding: false, isTrusting: false }
const ENCODE: Direction = { isEncoding: true, isTrusting: false }

class NotCompilable extends Error {}

const notCompilable = (): never => {
  throw new NotCompilable()
}

const when = (fits: (value: unknown) => boolean): Step => (value) => fits(value) ? value : NO_MATCH

const isPlainType = (ast: SchemaAST.AST): boolean => SchemaAST.typeAST(ast) === ast

/** Of all effects, only `Either.right` has this tag. `Either.isEither` checks more properties of each value. */
const rightOf = (result: unknown): unknown =>
  typeof result === "object" && result !== null && "_tag" in result && result._tag === "Right" && "right" in result
    ? result.right
    : NO_MATCH

const withoutRefinements = (ast: SchemaAST.AST): SchemaAST.AST =>
  SchemaAST.isRefinement(ast) ? withoutRefinements(ast.from) : ast

const isOptionType = (ast: SchemaAST.Declaration): boolean =>
  Option.exists(
    SchemaAST.getTypeConstructorAnnotation(ast),
    ({ _tag }) => _tag === "effect/Option"
  )

const compile = (ast: SchemaAST.AST, direction: Direction): Step => {
  const special = Option.isSome(SchemaAST.getParseOptionsAnnotation(ast)) ||
    Option.isSome(SchemaAST.getDecodingFallbackAnnotation(ast))
  return special ? notCompilable() : stepOf(ast, direction)
}

const stepOf = (ast: SchemaAST.AST, direction: Direction): Step => {
  switch (ast._tag) {
    case "StringKeyword":
      return when(Predicate.isString)
    case "NumberKeyword":
      return when(Predicate.isNumber)
    case "BooleanKeyword":
      return when(Predicate.isBoolean)
    case "BigIntKeyword":
      return when(Predicate.isBigInt)
    case "UnknownKeyword":
    case "AnyKeyword":
      return (value) => value
    case "Literal":
      return when((value) => value === ast.literal)
    case "Refinement":
      return refinement(ast, direction)
    case "Transformation":
      return transformation(ast, direction)
    case "Declaration":
      return declaration(ast, direction)
    case "TypeLiteral":
      return struct(ast, direction)
    case "TupleType":
      return array(ast, direction)
    case "Union":
      return union(ast.types, direction)
    case "Enums":
    case "NeverKeyword":
    case "ObjectKeyword":
    case "Suspend":
    case "SymbolKeyword":
    case "TemplateLiteral":
    case "UndefinedKeyword":
    case "UniqueSymbol":
    case "VoidKeyword":
      return notCompilable()
  }
}

const refinement = (ast: SchemaAST.Refinement, direction: Direction): Step => {
  if (direction.isTrusting) return compile(ast.from, direction)
  const from = compile(direction.isEncoding ? SchemaAST.typeAST(ast.from) : ast.from, DECODE)
  const isWithin: Step = (value) => {
    const found = from(value)
    return found === NO_MATCH || Option.isSome(ast.filter(found, SchemaAST.defaultParseOption, ast)) ? NO_MATCH : found
  }
  if (!direction.isEncoding || isPlainType(ast)) return isWithin
  const encode = compile(withoutRefinements(ast.from), ENCODE)
  return (value) => isWithin(value) === NO_MATCH ? NO_MATCH : encode(value)
}

const transformation = (ast: SchemaAST.Transformation, direction: Direction): Step => {
  const { transformation: kind } = ast
  if (SchemaAST.isTypeLiteralTransformation(kind)) return renaming(ast, kind, direction)
  const before = compile(direction.isEncoding ? ast.to : ast.from, direction)
  // The result of a transformation has the declared type.
  const after = direction.isEncoding
    ? compile(ast.from, direction)
    : SchemaAST.isDeclaration(ast.to) && isPlainType(ast.to)
    ? (value: unknown) => value
    : compile(ast.to, direction)
  const transform = kind._tag === "ComposeTransformation" ? (value: unknown) => value : (
    value: unknown,
    original: unknown
  ) =>
    rightOf(
      direction.isEncoding
        ? kind.encode(value, SchemaAST.defaultParseOption, ast, original)
        : kind.decode(value, SchemaAST.defaultParseOption, ast, original)
    )
  return (value) => {
    const found = before(value)
    if (found === NO_MATCH) return NO_MATCH
    const transformed = transform(found, value)
    return transformed === NO_MATCH ? NO_MATCH : after(transformed)
  }
}

const declaration = (ast: SchemaAST.Declaration, direction: Direction): Step => {
  const [content] = ast.typeParameters
  if (content !== undefined && isOptionType(ast)) {
    const inner = compile(content, direction)
    const none = Option.none()
    return (value) => {
      if (value === none) return value
      if (!Option.isOption(value)) return NO_MATCH
      if (Option.isNone(value)) return value
      const found = inner(value.value)
      return found === NO_MATCH ? NO_MATCH : found === value.value ? value : Option.some(found)
    }
  }
  const parse = direction.isEncoding
    ? ast.encodeUnknown(...ast.typeParameters)
    : ast.decodeUnknown(...ast.typeParameters)
  return (value) => rightOf(parse(value, SchemaAST.defaultParseOption, ast))
}

const array = ({ elements, rest }: SchemaAST.TupleType, direction: Direction): Step => {
  const [item, ...others] = rest
  if (item === undefined || others.length > 0 || elements.length > 0) return notCompilable()
  const each = compile(item.type, direction)
  return (value) => {
    if (!Array.isArray(value)) return NO_MATCH
    const out: Array<unknown> = []
    for (const entry of value) {
      const found = each(entry)
      if (found === NO_MATCH) return NO_MATCH
      out.push(found)
    }
    return out
  }
}

/** Returns the type of the input: the encoded side when decoding, the type side when encoding. */
const sourceOf = (ast: SchemaAST.AST, direction: Direction): SchemaAST.AST => {
  if (SchemaAST.isRefinement(ast)) return sourceOf(ast.from, direction)
  return SchemaAST.isTransformation(ast) ? sourceOf(direction.isEncoding ? ast.to : ast.from, direction) : ast
}

/** Returns the tag properties, by which `Schema` selects the member of a union; none if the type has no properties. */
const tagsOf = (ast: SchemaAST.AST, direction: Direction): Option.Option<string> => {
  const source = sourceOf(ast, direction)
  if (SchemaAST.isTypeLiteral(source)) {
    const tags = source.propertySignatures.filter(({ isOptional, type }) =>
      !isOptional && SchemaAST.isLiteral(direction.isEncoding ? SchemaAST.typeAST(type) : SchemaAST.encodedAST(type))
    )
    return Option.some(tags.map(({ name }) => String(name)).join())
  }
  return SchemaAST.isDeclaration(source) || SchemaAST.isTupleType(source) ? Option.some("") : Option.none()
}

const isNull = (ast: SchemaAST.AST): boolean => SchemaAST.isLiteral(ast) && ast.literal === null

const union = (types: ReadonlyArray<SchemaAST.AST>, direction: Direction): Step => {
  const tags = new Set(types.flatMap((type) => Option.toArray(tagsOf(type, direction))))
  // `Schema` tries members with the right tag before those without a tag, in any order of the members.
  if (tags.size > 1) return notCompilable()
  // Without tags, refinements may distinguish the members, but not a value from null.
  const isTagged = tags.size === 1 && !tags.has("")
  const isNullable = types.filter((type) => !isNull(type)).length === 1
  const membersDirection = isTagged || isNullable ? direction : { ...direction, isTrusting: false }
  const members = types.map((type) => compile(type, membersDirection))
  return (value) => {
    for (const member of members) {
      const found = member(value)
      if (found !== NO_MATCH) return found
    }
    return NO_MATCH
  }
}

/** A property and its conversion. */
interface Property {
  readonly from: string
  readonly to: string
  readonly isOptional: boolean
  readonly step: Step
  /** Converts the value or its absence: before the step when encoding, after it when decoding. */
  readonly change: ((value: Option.Option<unknown>) => Option.Option<unknown>) | undefined
}

const nameOf = (name: PropertyKey): string => Predicate.isString(name) ? name : notCompilable()

const struct = ({ indexSignatures, propertySignatures }: SchemaAST.TypeLiteral, direction: Direction): Step => {
  const properties = propertySignatures.map(({ isOptional, name, type }): Property => ({
    from: nameOf(name),
    to: nameOf(name),
    isOptional,
    step: compile(type, direction),
    change: undefined
  }))
  const [index, ...others] = indexSignatures
  if (index === undefined) return properties.length === 0 ? notCompilable() : record(properties, direction)
  if (others.length > 0 || properties.length > 0 || !SchemaAST.isStringKeyword(index.parameter)) return notCompilable()
  const each = compile(index.type, direction)
  return (value) => {
    if (!Predicate.isRecord(value)) return NO_MATCH
    const out: Record<string, unknown> = {}
    for (const key of Object.keys(value)) {
      const found = each(value[key])
      if (found === NO_MATCH) return NO_MATCH
      out[key] = found
    }
    return out
  }
}

/** Compiles a struct whose properties have other names on the other side, or are optional on one side only. */
const renaming = (
  { from, to }: SchemaAST.Transformation,
  { propertySignatureTransformations }: SchemaAST.TypeLiteralTransformation,
  direction: Direction
): Step => {
  if (!SchemaAST.isTypeLiteral(from) || from.indexSignatures.length > 0 || !SchemaAST.isTypeLiteral(to)) {
    return notCompilable()
  }
  const names = new Set(from.propertySignatures.map(({ name }) => name))
  // Not supported: a property that has no source, or gets the name of another property.
  const isOfItself = propertySignatureTransformations.every((changed) =>
    names.has(changed.from) && (changed.to === changed.from || !names.has(changed.to))
  )
  if (!isOfItself) return notCompilable()
  return record(
    from.propertySignatures.map(({ isOptional, name, type }): Property => {
      const step = compile(type, direction)
      const changed = propertySignatureTransformations.find((candidate) => candidate.from === name)
      if (changed === undefined) return { from: nameOf(name), to: nameOf(name), isOptional, step, change: undefined }
      const other = nameOf(changed.to)
      return direction.isEncoding
        ? { from: other, to: nameOf(name), isOptional, step, change: changeBy(changed.encode) }
        : { from: nameOf(name), to: other, isOptional, step, change: changeBy(changed.decode) }
    }),
    direction
  )
}

/** The value of a property that only gets another name does not change. */
const changeBy = (change: Property["change"]): Property["change"] => change === identity ? undefined : change

const isOwn = (record: Readonly<Record<string, unknown>>, name: string): boolean =>
  Object.prototype.hasOwnProperty.call(record, name)

const record = (properties: ReadonlyArray<Property>, direction: Direction): Step => (value) => {
  if (!Predicate.isRecord(value)) return NO_MATCH
  const out: Record<string, unknown> = {}
  for (const { change, from, isOptional, step, to } of properties) {
    const given = value[from]
    const isGiven = given !== undefined || isOwn(value, from)
    if (change === undefined) {
      if (!isGiven && isOptional) continue
      const found = step(given)
      if (found === NO_MATCH) return NO_MATCH
      out[to] = found
    } else if (!direction.isEncoding) {
      const found = isGiven || !isOptional ? step(given) : undefined
      if (found === NO_MATCH) return NO_MATCH
      const changed = change(isGiven || !isOptional ? Option.some(found) : Option.none())
      if (Option.isSome(changed)) out[to] = changed.value
    } else {
      const changed = change(isGiven ? Option.some(given) : Option.none())
      if (Option.isSome(changed)) {
        const found = step(changed.value)
        if (found === NO_MATCH) return NO_MATCH
        out[to] = found
      } else if (!isOptional) return NO_MATCH
    }
  }
  return out
}

/** Compiles the schema. If it is not supported, the function never matches, and `Schema` does all the work. */
const compileOrRefuse = (ast: SchemaAST.AST, direction: Direction): Step => {
  try {
    return compile(ast, direction)
  } catch (error) {
    if (error instanceof NotCompilable) return () => NO_MATCH
    throw error
  }
}

/** Compiles the schema when it is first used: a program may use few of the schemas that it declares. */
const compiled = (ast: SchemaAST.AST, direction: Direction): Step => {
  let step: Step | undefined
  return (value) => {
    const own = step ??= compileOrRefuse(ast, direction)
    try {
      return own(value)
    } catch {
      // The value does not have the expected type.
      return NO_MATCH
    }
  }
}

/** Uses the compiled function if it matches, and `Schema` otherwise. */
const orBySchema = <In, Out>(
  compiledStep: Step,
  bySchema: (value: In) => Either.Either<Out, ParseResult.ParseError>
) => {
  const isAnswer = (result: unknown): result is Out => result !== NO_MATCH
  return (value: In): Either.Either<Out, ParseResult.ParseError> => {
    const result = compiledStep(value)
    return isAnswer(result) ? Either.right(result) : bySchema(value)
  }
}

/** Like `Schema.decodeUnknownEither`. The options apply to the errors. */
export const decodeUnknownEither = <A, I>(
  schema: Schema.Schema<A, I>,
  options?: Pick<SchemaAST.ParseOptions, "errors">
) => orBySchema(compiled(schema.ast, DECODE), Schema.decodeUnknownEither(schema, options))

/** Like `decodeUnknownEither`, for data that was validated before it was stored: refinements are not checked again. */
export const decodeTrustedEither = <A, I>(schema: Schema.Schema<A, I>) =>
  orBySchema<unknown, A>(compiled(schema.ast, { ...DECODE, isTrusting: true }), Schema.decodeUnknownEither(schema))

/** Like `encodeEither`, for data that was validated before: refinements are not checked again. */
export const encodeTrustedEither = <A, I>(schema: Schema.Schema<A, I>) =>
  orBySchema(compiled(schema.ast, { ...ENCODE, isTrusting: true }), Schema.encodeEither(schema))

/** Like `Schema.encodeEither`. */
export const encodeEither = <A, I>(schema: Schema.Schema<A, I>) =>
  orBySchema(compiled(schema.ast, ENCODE), Schema.encodeEither(schema))
