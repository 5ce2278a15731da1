import { Api } from "@community-messaging/http-adapter/Api"
import { EventResource } from "@community-messaging/http-adapter/operations/EventResource"
import * as ApiErrors from "@community-messaging/http-adapter/wire/ApiError"
import { RequestRules } from "@community-messaging/http-adapter/wire/RequestRules"
import * as HttpApi from "@effect/platform/HttpApi"
import * as HttpApiMiddleware from "@effect/platform/HttpApiMiddleware"
import * as HttpApiSchema from "@effect/platform/HttpApiSchema"
import * as OpenApi from "@effect/platform/OpenApi"
import * as OpenApiJsonSchema from "@effect/platform/OpenApiJsonSchema"
import { Context, Option, Predicate, Schema, SchemaAST } from "effect"
import { comment, declaration, objectText, propertyName, typeText } from "./TypeText.ts"

/*
 * Makes the types and the table of the client from the definition. The files are checked in: a test fails if they differ
 * from the output of this module, and `npm run generate` updates them.
 */

const HEAD = "// Made from the definition of the API by `npm run generate`. Do not edit.\n// dprint-ignore-file\n\n"

type Reflected = Parameters<Parameters<typeof HttpApi.reflect>[1]["onEndpoint"]>[0]

/** The errors of the API: the code and the status of each. */
const codesOf = (ast: SchemaAST.AST): ReadonlyArray<string> => {
  const encoded = SchemaAST.encodedAST(ast)
  if (SchemaAST.isUnion(encoded)) return encoded.types.flatMap(codesOf)
  if (!SchemaAST.isTypeLiteral(encoded)) return []
  return encoded.propertySignatures.flatMap(({ name, type }) =>
    name === "code" && SchemaAST.isLiteral(type) ? [String(type.literal)] : []
  )
}

const definedErrors = Object.values(ApiErrors).flatMap(({ ast }) =>
  codesOf(ast).map((code) => ({
    code,
    status: HttpApiSchema.getStatusErrorAST(ast),
    description: Option.getOrUndefined(SchemaAST.getDescriptionAnnotation(SchemaAST.typeAST(ast)))
  }))
).toSorted((one, other) => one.status - other.status || (one.code < other.code ? -1 : 1))

/** The facts of an operation for the table and the types. */
interface Described {
  readonly group: string
  readonly name: string
  readonly documentation: string
  /** The type of the request. */
  readonly request: string
  readonly success: string
  readonly errors: ReadonlyArray<string>
  readonly row: Readonly<Record<string, unknown>>
}

const credentialsOf = ({ middleware }: Reflected): "bot" | "admin" | "none" => {
  const schemes = new Set(
    Array.from(middleware).flatMap((each) => HttpApiMiddleware.isSecurity(each) ? Object.keys(each.security) : [])
  )
  return schemes.has("BotToken") ? "bot" : schemes.has("AdminKey") ? "admin" : "none"
}

/** The kind of a success response: JSON, nothing, or events. */
const responseOf = (ast: Option.Option<SchemaAST.AST>): "json" | "nothing" | "events" => {
  if (Option.isNone(ast)) return "nothing"
  return HttpApiSchema.getEncoding(ast.value).contentType === "text/event-stream" ? "events" : "json"
}

const parameterNames = (schema: Option.Option<Schema.Schema.All>): ReadonlyArray<string> =>
  Option.match(schema, {
    onNone: () => [],
    onSome: ({ ast }) => SchemaAST.getPropertySignatures(SchemaAST.encodedAST(ast)).map(({ name }) => String(name))
  })

const successTexts = { nothing: () => "void", events: () => "AsyncIterable<Event>", json: typeText }

/** Converts schemas, and collects the named ones. */
const makeConverter = () => {
  const definitions: Record<string, unknown> = {}
  const convert = (ast: SchemaAST.AST): unknown =>
    OpenApiJsonSchema.makeWithDefs(Schema.make(ast), { defs: definitions })

  const requestText = ({ endpoint }: Reflected, response: string): string => {
    const parts = [
      { name: "path", schema: endpoint.pathSchema },
      { name: "query", schema: endpoint.urlParamsSchema },
      // The client itself sets the header that resumes a stream of events.
      { name: "headers", schema: response === "events" ? Option.none() : endpoint.headersSchema },
      { name: "body", schema: endpoint.payloadSchema }
    ].flatMap(({ name, schema }) => {
      if (Option.isNone(schema)) return []
      const json = convert(schema.value.ast)
      const required = Predicate.hasProperty(json, "required") && Array.isArray(json.required) ? json.required : []
      const isOptional = name !== "body" && required.length === 0
      return [
        `        readonly ${name}${isOptional ? "?" : ""}: ${
          name === "body" ? typeText(json) : objectText(json, "        ")
        }\n`
      ]
    })
    return parts.length === 0 ? "{}" : `{\n${parts.join("")}      }`
  }

  const describe = (reflected: Reflected): Described => {
    const { endpoint, errors, group, mergedAnnotations, successes } = reflected
    const [success] = Array.from(successes.values())
    const response = responseOf(Option.flatMap(Option.fromNullable(success), ({ ast }) => ast))
    const isAnnotated = Option.exists(
      Context.getOption(mergedAnnotations, RequestRules),
      ({ isIdempotent }) => isIdempotent === true
    )
    return {
      group: group.identifier,
      name: endpoint.name,
      documentation: [
        `${Option.getOrElse(Context.getOption(endpoint.annotations, OpenApi.Summary), () => endpoint.name)}.`,
        Option.getOrElse(Context.getOption(endpoint.annotations, OpenApi.Description), () => "")
      ].join(" "),
      request: requestText(reflected, response),
      success: successTexts[response](
        Option.match(Option.flatMap(Option.fromNullable(success), ({ ast }) => ast), {
          onNone: () => undefined,
          onSome: convert
        })
      ),
      errors: Array.from(errors.values()).flatMap(({ ast }) => Option.isSome(ast) ? codesOf(ast.value) : []).sort(),
      row: {
        id: `${group.identifier}.${endpoint.name}`,
        method: endpoint.method,
        path: endpoint.path.replaceAll(/:(\w+)/g, "{$1}"),
        query: parameterNames(endpoint.urlParamsSchema),
        headers: parameterNames(endpoint.headersSchema),
        body: Option.isSome(endpoint.payloadSchema),
        credentials: credentialsOf(reflected),
        success: Array.from(successes.keys()),
        response,
        idempotent: endpoint.method === "GET" || isAnnotated
      }
    }
  }

  return { definitions, convert, describe }
}

const literals = (codes: ReadonlyArray<string>): string => codes.map((code) => JSON.stringify(code)).join(" | ")

const grouped = (
  operations: ReadonlyArray<Described>,
  render: (operation: Described) => string,
  mark = ""
): string =>
  Array.from(new Set(operations.map(({ group }) => group))).map((group) =>
    `  ${mark}${propertyName(group)}: {\n${
      operations.filter((operation) => operation.group === group).map(render).join(mark === "" ? ",\n" : "\n")
    }\n  }`
  ).join(mark === "" ? ",\n" : "\n")

const operationType = ({ documentation, errors, name, request, success }: Described): string =>
  [
    `${comment(documentation, "    ")}    readonly ${propertyName(name)}: {`,
    `      readonly request: ${request}`,
    `      readonly success: ${success}`,
    `      readonly errors: ${literals(errors)}`,
    "    }"
  ].join("\n")

const operationRow = ({ errors, name, row }: Described): string =>
  `    ${propertyName(name)}: {\n${
    Object.entries({ ...row, errors }).map(([key, value]) => `      ${key}: ${JSON.stringify(value)}`).join(",\n")
  }\n    }`

/** The texts of the generated files by their names. */
export const generate = (): { readonly "Resources.ts": string; readonly "Operations.ts": string } => {
  const { convert, definitions, describe } = makeConverter()
  const operations: Array<Described> = []
  HttpApi.reflect(Api, { onGroup: () => {}, onEndpoint: (endpoint) => operations.push(describe(endpoint)) })
  convert(EventResource.ast)
  convert(ApiErrors.InvalidFormBody.ast)
  const declared = new Set(operations.flatMap(({ errors }) => errors))
  const protocolErrors = definedErrors.map(({ code }) => code).filter((code) => !declared.has(code)).sort()
  const errorNames = new Set(Object.keys(ApiErrors))
  const names = Object.keys(definitions).filter((name) => !errorNames.has(name)).sort()
  const types = operations.map(operationType).join("\n")
  const used = names.filter((name) => new RegExp(`\\b${name}\\b`).test(types) && name !== "ViolationCode")
  return {
    "Resources.ts": HEAD + names.map((name) => declaration(name, definitions[name])).join("\n"),
    "Operations.ts": [
      HEAD,
      `import type { Operation } from "./Operation.ts"\nimport type { ${used.join(", ")} } from "./Resources.ts"\n\n`,
      "/** The code of an error. See the API reference, Errors. */\nexport type ErrorCode =\n",
      definedErrors.map(({ code, description, status }) =>
        `${comment(`${status}. ${description ?? ""}`, "  ")}  | ${JSON.stringify(code)}`
      ).join("\n"),
      "\n\n/** The errors of requests that reach no operation. */\n",
      `export type ProtocolErrorCode = ${literals(protocolErrors)}\n`,
      "/** All codes of `ProtocolErrorCode`. */\n",
      `export const PROTOCOL_ERRORS: ReadonlyArray<ProtocolErrorCode> = ${JSON.stringify(protocolErrors)}\n\n`,
      "/** The operations by group: their requests, responses and errors. */\n",
      `export interface Operations {\n${grouped(operations, operationType, "readonly ")}\n}\n\n`,
      "/** How each operation is sent. */\n",
      "export const OPERATIONS: {\n  readonly [Group in keyof Operations]: " +
      "{ readonly [Name in keyof Operations[Group]]: Operation }\n} = {\n",
      `${grouped(operations, operationRow)}\n}\n`
    ].join("")
  }
}
