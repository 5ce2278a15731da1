import * as CompiledSchema from "@community-messaging/compiled-schema/CompiledSchema"
import type { DecodedParts } from "@community-messaging/http-api-node/NodeRequest"
import * as QueryLists from "@community-messaging/http-api-node/QueryLists"
import type { Query } from "@community-messaging/http-api-node/RequestTarget"
import { HttpApi, type HttpApiEndpoint, type HttpApiGroup, type HttpMethod } from "@effect/platform"
import { Context, Either, Option, type Schema } from "effect"
import { CountedIn, type RateLimitBucket } from "../definition/RateLimitBucket.ts"
import { BodyLimit, FormAdvice } from "../definition/RequestValidation.ts"
import type { Violation } from "../definition/Violation.ts"
import * as Violations from "./Violations.ts"

/** A request's parameters, as the router and the server found them. */
export interface Parameters {
  readonly path: Readonly<Record<string, string | undefined>>
  readonly query: Query
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
  /** The parameters decoded, or everything that is wrong with them. */
  readonly parameters: (parameters: Parameters) => Either.Either<DecodedParts, ReadonlyArray<Violation>>
  /** The body decoded, or everything that is wrong with it. */
  readonly body: (body: unknown) => Either.Either<unknown, ReadonlyArray<Violation>>
}

/** The checks of the endpoint that a route leads to; none where it leads to no endpoint. */
export type ChecksOfRoute = (
  route: { readonly method: string; readonly path: string }
) => EndpointChecks | undefined

type Decode = EndpointChecks["body"]

/** Decodes, and tells all that is wrong where something is. */
const decodeBy = (
  schema: Option.Option<Schema.Schema<never, unknown>>,
  describe: typeof Violations.ofBody
): Option.Option<Decode> =>
  Option.map(schema, (present) => {
    const decode = CompiledSchema.decodeUnknownEither(present, { errors: "all" })
    return (input) => Either.mapLeft(decode(input), ({ issue }) => describe(issue))
  })

/** One kind of parameters, by the name under which a handler gets it. */
interface ParameterPart {
  readonly name: "path" | "urlParams" | "headers"
  readonly find: (parameters: Parameters) => unknown
  readonly decode: Decode
}

const partOf = (
  name: ParameterPart["name"],
  schema: Option.Option<Schema.Schema<never, unknown>>,
  find: ParameterPart["find"]
): ReadonlyArray<ParameterPart> =>
  Option.toArray(decodeBy(schema, Violations.ofParameters)).map((decode) => ({ name, find, decode }))

const decodeParts = (parts: ReadonlyArray<ParameterPart>): EndpointChecks["parameters"] => (parameters) => {
  const decoded: DecodedParts = {}
  const violations: Array<Violation> = []
  for (const { decode, find, name } of parts) {
    const part = decode(find(parameters))
    if (Either.isRight(part)) decoded[name] = part.right
    else violations.push(...part.left)
  }
  return violations.length === 0 ? Either.right(decoded) : Either.left(violations)
}

const checksOf = (
  operation: string,
  endpoint: HttpApiEndpoint.HttpApiEndpoint<string, HttpMethod.HttpMethod>
): EndpointChecks => {
  const listed = QueryLists.listing(endpoint.urlParamsSchema)
  const parts: ReadonlyArray<ParameterPart> = [
    ...partOf("path", endpoint.pathSchema, ({ path }) => path),
    ...partOf("urlParams", endpoint.urlParamsSchema, ({ query }) => listed(query)),
    ...partOf("headers", endpoint.headersSchema, ({ headers }) => headers)
  ]
  return {
    operation,
    bucket: Context.getOption(endpoint.annotations, CountedIn),
    bodyLimit: Context.get(endpoint.annotations, BodyLimit),
    formAdvice: Context.getOption(endpoint.annotations, FormAdvice),
    parameters: decodeParts(parts),
    body: Option.getOrElse(decodeBy(endpoint.payloadSchema, Violations.ofBody), () => Either.right)
  }
}

/** The checks of an API's endpoints. */
export const make = <Id extends string, Groups extends HttpApiGroup.HttpApiGroup.Any, E, R>(
  api: HttpApi.HttpApi<Id, Groups, E, R>
): ChecksOfRoute => {
  const checks = new Map<string, Map<string, EndpointChecks>>()
  HttpApi.reflect(api, {
    onGroup: () => {},
    onEndpoint: ({ endpoint, group }) => {
      const ofPath = checks.get(endpoint.path) ?? new Map<string, EndpointChecks>()
      ofPath.set(endpoint.method, checksOf(`${group.identifier}.${endpoint.name}`, endpoint))
      checks.set(endpoint.path, ofPath)
    }
  })
  return ({ method, path }) => checks.get(path)?.get(method)
}
