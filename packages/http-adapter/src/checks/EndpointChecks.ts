import { HttpApi, type HttpApiEndpoint, type HttpApiGroup, type HttpMethod } from "@effect/platform"
import { Context, Either, Option, Schema, SchemaAST } from "effect"
import { CountedIn, type RateLimitBucket } from "../definition/RateLimitBucket.ts"
import { BodyLimit, FormAdvice } from "../definition/RequestValidation.ts"
import type { Violation } from "../definition/Violation.ts"
import * as Violations from "./Violations.ts"

/** A request's parameters, as the router and the server found them. */
export interface Parameters {
  readonly path: Readonly<Record<string, string | undefined>>
  readonly query: Readonly<Record<string, string | ReadonlyArray<string>>>
  readonly headers: Readonly<Record<string, string | undefined>>
}

/** What is checked of the requests to one endpoint, made ready from its definition. */
export interface EndpointChecks {
  /** The operation's name, as in the OpenAPI document. */
  readonly operation: string
  readonly bucket: Option.Option<RateLimitBucket>
  /** The most bytes of its body. */
  readonly bodyLimit: number
  /** What to tell those who send its body as a form. */
  readonly formAdvice: Option.Option<string>
  /** Everything that is wrong with the parameters. */
  readonly parameterViolations: (parameters: Parameters) => ReadonlyArray<Violation>
  /** Everything that is wrong with the body. */
  readonly bodyViolations: (body: unknown) => ReadonlyArray<Violation>
}

/** The checks of every endpoint, by `<method> <path pattern>`. */
export type ChecksByRoute = ReadonlyMap<string, EndpointChecks>

/** The key of a route in `ChecksByRoute`. */
export const routeKey = (route: { readonly method: string; readonly path: string }): string =>
  `${route.method} ${route.path}`

type Violated = (input: unknown) => ReadonlyArray<Violation>

const violatedBy = (
  schema: Option.Option<Schema.Schema<never, unknown>>,
  describe: typeof Violations.ofBody
): Violated =>
  Option.match(schema, {
    onNone: () => () => [],
    onSome: (present) => {
      const decode = Schema.decodeUnknownEither(present, { errors: "all" })
      return (input) => Either.match(decode(input), { onLeft: (error) => describe(error.issue), onRight: () => [] })
    }
  })

const isArray = (ast: SchemaAST.AST): boolean =>
  SchemaAST.isTupleType(ast) || ((SchemaAST.isRefinement(ast) || SchemaAST.isTransformation(ast)) && isArray(ast.from))

/** A repeatable query parameter that is given once is one in a list of one. */
const withLists = (schema: Option.Option<Schema.Schema<never, unknown>>) => {
  const repeatable = new Set(
    Option.toArray(schema).flatMap(({ ast }) =>
      SchemaAST.getPropertySignatures(SchemaAST.encodedAST(ast)).filter(({ type }) => isArray(type)).map(({ name }) =>
        name
      )
    )
  )
  return (query: Parameters["query"]): Parameters["query"] =>
    repeatable.size === 0
      ? query
      : Object.fromEntries(
        Object.entries(query).map(([name, value]) => [
          name,
          repeatable.has(name) && typeof value === "string" ? [value] : value
        ])
      )
}

const checksOf = (
  operation: string,
  endpoint: HttpApiEndpoint.HttpApiEndpoint<string, HttpMethod.HttpMethod>
): EndpointChecks => {
  const path = violatedBy(endpoint.pathSchema, Violations.ofParameters)
  const query = violatedBy(endpoint.urlParamsSchema, Violations.ofParameters)
  const headers = violatedBy(endpoint.headersSchema, Violations.ofParameters)
  const listed = withLists(endpoint.urlParamsSchema)
  return {
    operation,
    bucket: Context.getOption(endpoint.annotations, CountedIn),
    bodyLimit: Context.get(endpoint.annotations, BodyLimit),
    formAdvice: Context.getOption(endpoint.annotations, FormAdvice),
    parameterViolations: (parameters) => [
      ...path(parameters.path),
      ...query(listed(parameters.query)),
      ...headers(parameters.headers)
    ],
    bodyViolations: violatedBy(endpoint.payloadSchema, Violations.ofBody)
  }
}

/** The checks of an API's endpoints. */
export const make = <Id extends string, Groups extends HttpApiGroup.HttpApiGroup.Any, E, R>(
  api: HttpApi.HttpApi<Id, Groups, E, R>
): ChecksByRoute => {
  const checks = new Map<string, EndpointChecks>()
  HttpApi.reflect(api, {
    onGroup: () => {},
    onEndpoint: ({ endpoint, group }) => {
      checks.set(routeKey(endpoint), checksOf(`${group.identifier}.${endpoint.name}`, endpoint))
    }
  })
  return checks
}
