import { HttpApiSchema, HttpServerResponse, UrlParams } from "@effect/platform"
import { type Effect, Either, ParseResult, Predicate, Schema, SchemaAST } from "effect"
import { isEncodedAsIs } from "./EncodedAsIs.ts"

/** Makes the answer that a value is sent as; fails where no schema encodes the value. */
export type Answers = (value: unknown) => Effect.Effect<HttpServerResponse.HttpServerResponse, ParseResult.ParseError>

type StatusOf = (ast: SchemaAST.AST) => number

/** What makes an answer of an encoded value. */
type Respond = (encoded: unknown) => Either.Either<HttpServerResponse.HttpServerResponse, ParseResult.ParseIssue>

const AnyResponse = Schema.declare(HttpServerResponse.isServerResponse)

/** An answer whose body is a string: Node writes that in one piece with the headers. */
const ofText = (text: string, status: number, contentType: string): HttpServerResponse.HttpServerResponse =>
  HttpServerResponse.raw(text, { status, contentType, contentLength: Buffer.byteLength(text) })

/** What is undefined has no JSON. */
const jsonOf = (encoded: unknown): string | undefined => JSON.stringify(encoded)

const respondWith = (ast: SchemaAST.AST, status: number): Respond => {
  if (HttpApiSchema.isVoid(ast)) {
    const empty = Either.right(HttpServerResponse.empty({ status }))
    return () => empty
  }
  const { contentType, kind } = HttpApiSchema.getEncoding(ast)
  const unfit = (encoded: unknown) => Either.left(new ParseResult.Type(ast, encoded, `Could not encode to ${kind}`))
  switch (kind) {
    case "Json":
      return (encoded) => {
        try {
          return Either.right(ofText(jsonOf(encoded) ?? "", status, contentType))
        } catch {
          return unfit(encoded)
        }
      }
    case "Text":
      return (encoded) =>
        Predicate.isString(encoded) ? Either.right(ofText(encoded, status, contentType)) : unfit(encoded)
    case "Uint8Array":
      return (encoded) =>
        Predicate.isUint8Array(encoded)
          ? Either.right(HttpServerResponse.uint8Array(encoded, { status, contentType }))
          : unfit(encoded)
    case "UrlParams":
      return (encoded) =>
        isFields(encoded)
          ? Either.right(ofText(UrlParams.toString(UrlParams.fromInput(encoded)), status, contentType))
          : unfit(encoded)
  }
}

const isFields = (encoded: unknown): encoded is Readonly<Record<string, string>> => Predicate.isRecord(encoded)

/** The schema by which a value of that schema becomes an answer. */
const toAnswer = (
  schema: Schema.Schema.Any,
  statusOf: StatusOf
): Schema.Schema<unknown, HttpServerResponse.HttpServerResponse> => {
  const respond = respondWith(schema.ast, statusOf(schema.ast))
  return Schema.transformOrFail(AnyResponse, Schema.make<unknown, unknown>(schema.ast), {
    strict: true,
    decode: (response, _options, ast) => Either.left(new ParseResult.Forbidden(ast, response, "Answers are only made")),
    encode: respond
  })
}

const alternativesOf = (schemas: ReadonlyArray<SchemaAST.AST>): ReadonlyArray<Schema.Schema.Any> => {
  const alternatives = new Set<Schema.Schema.Any>()
  for (const ast of schemas) HttpApiSchema.deunionize(alternatives, Schema.make<unknown, unknown>(ast))
  return Array.from(alternatives)
}

const encodeBy = (alternatives: ReadonlyArray<Schema.Schema.Any>, statusOf: StatusOf): Answers =>
  Schema.encodeUnknown(Schema.Union(...alternatives.map((schema) => toAnswer(schema, statusOf))))

/** What an endpoint answers when all went well. A schema that encodes to itself is not asked. */
export const ofSuccess = (schema: SchemaAST.AST): Answers => {
  const alternatives = alternativesOf([schema])
  const [only] = alternatives
  if (only === undefined || alternatives.length > 1 || !isEncodedAsIs(only.ast)) {
    return encodeBy(alternatives, HttpApiSchema.getStatusSuccessAST)
  }
  const respond = respondWith(only.ast, HttpApiSchema.getStatusSuccessAST(only.ast))
  return (value) => Either.mapLeft(respond(value), ParseResult.parseError)
}

/** Whether all values of a schema are of one class, which then tells by itself what becomes of them. */
const isClass = (ast: SchemaAST.AST): boolean => SchemaAST.isTransformation(ast) && SchemaAST.isDeclaration(ast.to)

/** What an API answers when something fails: the first schema that takes the error, which is found once for each class. */
export const ofErrors = (schemas: ReadonlyArray<SchemaAST.AST>): Answers => {
  const alternatives = alternativesOf(schemas)
  const anyOf = encodeBy(alternatives, HttpApiSchema.getStatusErrorAST)
  const taking = alternatives.map((schema) => ({
    schema,
    takes: Schema.is(Schema.typeSchema(schema))
  }))
  const ofClass = new Map<unknown, Answers>()
  return (error) => {
    const known = Predicate.isObject(error) ? ofClass.get(error.constructor) : undefined
    if (known !== undefined) return known(error)
    const first = taking.find(({ takes }) => takes(error))
    if (first === undefined || !isClass(first.schema.ast) || !Predicate.isObject(error)) return anyOf(error)
    const answers = encodeBy([first.schema], HttpApiSchema.getStatusErrorAST)
    ofClass.set(error.constructor, answers)
    return answers(error)
  }
}
