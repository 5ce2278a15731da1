import * as CompiledSchema from "@community-messaging/compiled-schema/CompiledSchema"
import { CodePointLengthSchemaId } from "@community-messaging/domain/shared-kernel/CodePointLength"
import { WHOLE } from "@community-messaging/json-reader/Excerpt"
import * as Projection from "@community-messaging/json-reader/Projection"
import * as HttpApi from "@effect/platform/HttpApi"
import type * as HttpApiEndpoint from "@effect/platform/HttpApiEndpoint"
import type * as HttpApiMiddleware from "@effect/platform/HttpApiMiddleware"
import * as HttpApiSchema from "@effect/platform/HttpApiSchema"
import type * as HttpMethod from "@effect/platform/HttpMethod"
import { Context, Effect, Either, Encoding, Option, Schema, SchemaAST, Stream } from "effect"
import type { IncomingHttpHeaders, IncomingMessage } from "node:http"
import { parse as parseQuery, type ParsedUrlQuery } from "node:querystring"
import { Api } from "../Api.ts"
import { AdminCredentials, BotCredentials, WebhookCredentials } from "../wire/Credentials.ts"
import type { RateLimitBucket } from "../wire/RateLimitBucket.ts"
import { RequestRules } from "../wire/RequestRules.ts"
import type { Violation } from "../wire/Violation.ts"
import type { Authenticated } from "./Authentication.ts"
import type { Accepted } from "./bodies/BodyArrival.ts"
import type { AnyHandler, HandlersOfApi } from "./Handlers.ts"
import type { Page } from "./Page.ts"
import type { ErrorWithHeaders } from "./replies/ErrorMapping.ts"
import * as Reply from "./replies/Reply.ts"
import * as Violations from "./Violations.ts"

type Endpoint = HttpApiEndpoint.HttpApiEndpoint<string, HttpMethod.HttpMethod>
type Decode<A> = (input: A) => Either.Either<unknown, ReadonlyArray<Violation>>
type PartSchema = Option.Option<Schema.Schema<never, unknown>>

/** The parameters of a path, percent-decoded. */
export type PathParameters = Readonly<Record<string, string | undefined>>

/** A request's parameters before they are decoded. */
interface Parameters {
  readonly path: PathParameters
  /** Without its question mark. */
  readonly query: string
  readonly headers: IncomingHttpHeaders
}

/** A request's parameters, decoded by the definition of the endpoint. */
export interface Decoded {
  readonly path?: unknown
  readonly urlParams?: unknown
  readonly headers?: unknown
}

/** Finds violations in an invalid body that otherwise only the use case would find. */
export type ContentCheck = (
  body: unknown,
  caller: Authenticated["caller"]
) => Effect.Effect<ReadonlyArray<Violation>, ErrorWithHeaders | Reply.ApiError>

/** Everything for the requests of an endpoint that is computed once, before the first request. */
export interface Route {
  readonly _tag: "Route"
  /** The pattern of the path, such as `/v1/guilds/:guild_id/members-search`. */
  readonly path: string
  readonly credentials: "bot" | "admin" | "webhook"
  readonly bucket: RateLimitBucket
  readonly decodeParameters: (parameters: Parameters) => Either.Either<Decoded, ReadonlyArray<Violation>>
  /** None if the endpoint accepts no body. */
  readonly body: Option.Option<{
    readonly accepted: Accepted
    readonly decode: Decode<unknown>
    readonly contentCheck: ContentCheck
  }>
  readonly handle: AnyHandler
  /** The reply for the result of the handler, with these additional headers. */
  readonly reply: (answer: unknown, headers: Reply.Headers) => Reply.Reply
}

/** The result of routing. */
export type Match =
  | { readonly _tag: "Found"; readonly route: Route | Page; readonly path: PathParameters }
  | { readonly _tag: "OtherMethod"; readonly path: string; readonly allow: ReadonlyArray<string> }
  | { readonly _tag: "Unknown" }

const UNKNOWN: Match = { _tag: "Unknown" }

const decodeBy = (
  schema: PartSchema,
  describe: typeof Violations.ofBody
): Option.Option<Decode<unknown>> =>
  Option.map(schema, (present) => {
    const decode = CompiledSchema.decodeUnknownEither(present, { errors: "all" })
    return (input) => Either.mapLeft(decode(input), ({ issue }) => describe(issue))
  })

/** Malformed text stays unchanged. */
const unescape = (text: string): string => Either.getOrElse(Encoding.decodeUriComponent(text), () => text)

/** Reads a query. A parameter that may be repeated is always a list. */
const queryReader = (schema: PartSchema): (query: string) => ParsedUrlQuery => {
  const type = Option.map(schema, ({ ast }) => SchemaAST.encodedAST(ast))
  const lists = Option.isSome(type) && SchemaAST.isTypeLiteral(type.value)
    ? type.value.propertySignatures.filter((parameter) => SchemaAST.isTupleType(parameter.type))
    : []
  return (query) => {
    const parameters = parseQuery(query, "&", "=", { decodeURIComponent: unescape, maxKeys: 0 })
    for (const { name } of lists) {
      const value = parameters[String(name)]
      if (typeof value === "string") parameters[String(name)] = [value]
    }
    return parameters
  }
}

const parameterDecoder = (endpoint: Endpoint): Route["decodeParameters"] => {
  const readQuery = queryReader(endpoint.urlParamsSchema)
  const part = <Name extends keyof Decoded>(name: Name, schema: PartSchema, find: (from: Parameters) => unknown) =>
    Option.toArray(Option.map(decodeBy(schema, Violations.ofParameters), (decode) => ({ name, find, decode })))
  const parts = [
    ...part("path", endpoint.pathSchema, ({ path }) => path),
    ...part("urlParams", endpoint.urlParamsSchema, ({ query }) => readQuery(query)),
    ...part("headers", endpoint.headersSchema, ({ headers }) => headers)
  ]
  return (parameters) => {
    const decoded: { -readonly [name in keyof Decoded]: Decoded[name] } = {}
    const violations: Array<Violation> = []
    for (const { decode, find, name } of parts) {
      const result = decode(find(parameters))
      if (Either.isRight(result)) decoded[name] = result.right
      else violations.push(...result.left)
    }
    return violations.length === 0 ? Either.right(decoded) : Either.left(violations)
  }
}

const replyOf = ({ successSchema: { ast } }: Endpoint): Route["reply"] => {
  const status = HttpApiSchema.getStatusSuccessAST(ast)
  if (HttpApiSchema.isVoid(ast)) return (_answer, headers) => ({ status, headers, body: undefined })
  const { contentType, kind } = HttpApiSchema.getEncoding(ast)
  if (kind === "Text") {
    return (answer, headers) => ({
      status,
      // Proxies must not buffer pieces.
      headers: { "x-accel-buffering": "no", ...headers },
      body: { contentType, content: isStream(answer) ? answer : NOTHING }
    })
  }
  // A result that its schema does not transform needs no encoding, and the service's own values need no validation.
  const encode = SchemaAST.encodedBoundAST(ast) === ast
    ? (answer: unknown) => answer
    : Schema.encodeUnknownSync(Schema.make<unknown, unknown>(ast))
  return (answer, headers) => Reply.json(status, encode(answer), headers)
}

const NOTHING: Reply.Pieces = { chunks: Stream.empty, revoked: Effect.never }

const isStream = (answer: unknown): answer is Reply.Pieces =>
  typeof answer === "object" && answer !== null && "chunks" in answer && "revoked" in answer

const CREDENTIALS = new Map<string, Route["credentials"]>([
  [BotCredentials.key, "bot"],
  [AdminCredentials.key, "admin"],
  [WebhookCredentials.key, "webhook"]
])

const credentialsOf = (middleware: ReadonlySet<HttpApiMiddleware.TagClassAny>): Route["credentials"] => {
  const [credentials] = Array.from(middleware).flatMap(({ key }) => CREDENTIALS.get(key) ?? [])
  if (credentials === undefined) throw new Error("An endpoint needs credentials")
  return credentials
}

const bodyOf = (
  payloadSchema: PartSchema,
  { bodyLimit, excerpt = WHOLE, formAdvice }: typeof RequestRules.Service,
  contentCheck: ContentCheck
): Route["body"] =>
  Option.all({ schema: payloadSchema, decode: decodeBy(payloadSchema, Violations.ofBody) }).pipe(
    Option.map(({ decode, schema }) => ({
      accepted: {
        limit: Option.getOrThrow(Option.fromNullable(bodyLimit)),
        formAdvice: Option.fromNullable(formAdvice),
        projection: Projection.of(schema, { excerpt, maxLengthSchemaId: CodePointLengthSchemaId })
      },
      decode,
      contentCheck
    }))
  )

const routeOf = (
  endpoint: Endpoint,
  middleware: ReadonlySet<HttpApiMiddleware.TagClassAny>,
  handle: AnyHandler,
  contentCheck: ContentCheck
): Route => {
  const rules = Context.unsafeGet(endpoint.annotations, RequestRules)
  return {
    _tag: "Route",
    path: endpoint.path,
    credentials: credentialsOf(middleware),
    bucket: rules.bucket,
    decodeParameters: parameterDecoder(endpoint),
    body: bodyOf(endpoint.payloadSchema, rules, contentCheck),
    handle,
    reply: replyOf(endpoint)
  }
}

const noContentCheck: ContentCheck = () => Effect.succeed([])

/** Every route of the API, with its method. */
const routesOf = (
  handlers: HandlersOfApi<typeof Api>,
  contentChecks: ReadonlyMap<AnyHandler, ContentCheck>
): ReadonlyArray<readonly [method: string, route: Route]> => {
  const byGroup: Readonly<Record<string, Readonly<Record<string, AnyHandler>>>> = handlers
  const routes: Array<readonly [string, Route]> = []
  HttpApi.reflect(Api, {
    onGroup: () => {},
    onEndpoint: ({ endpoint, group, middleware }) => {
      const handle = byGroup[group.identifier]?.[endpoint.name]
      if (handle === undefined) throw new Error(`No handler of ${group.identifier}.${endpoint.name}`)
      routes.push([
        endpoint.method,
        routeOf(endpoint, middleware, handle, contentChecks.get(handle) ?? noContentCheck)
      ])
    }
  })
  return routes
}

/** A request's target (RFC 9112, 3.2), in two parts. */
export interface RequestTarget {
  readonly path: string
  /** Without its question mark. */
  readonly query: string
}

/** The target as the client sent it. Express and Connect keep it when they cut the path of a mounted application. */
const sent = (source: IncomingMessage): string =>
  "originalUrl" in source && typeof source.originalUrl === "string" ? source.originalUrl : source.url ?? ""

const ORIGIN = /^https?:\/\/[^/?]+/i

/** The target in origin form. Without a path, it is `/`, and for `OPTIONS` the server as a whole (RFC 9110, 4.2.3). */
const inOriginForm = (url: string, method: string | undefined): string => {
  if (!ORIGIN.test(url)) return url
  const target = url.replace(ORIGIN, "")
  return target.startsWith("/") ? target : `${method === "OPTIONS" ? "*" : "/"}${target}`
}

/** The path and the query of a request's target, in origin or absolute form. */
export const targetOf = (source: IncomingMessage): RequestTarget => {
  const url = sent(source)
  const target = url.startsWith("/") ? url : inOriginForm(url, source.method)
  const queryAt = target.indexOf("?")
  return queryAt === -1
    ? { path: target, query: "" }
    : { path: target.slice(0, queryAt), query: target.slice(queryAt + 1) }
}

/** The value of a parameter, percent-decoded: an escaped slash is a part of it. Undefined if it is malformed or empty. */
const valueOf = (segment: string): string | undefined => {
  if (segment === "") return undefined
  return segment.includes("%") ? Either.getOrUndefined(Encoding.decodeUriComponent(segment)) : segment
}

/**
 * Returns whether a literal segment is written as in the pattern. No letter of it may be escaped, so that rules for paths in
 * front of the API see the same path. Some clients escape the `@` of `@me`, as `encodeURIComponent` does.
 */
const isLiteral = (expected: string, segment: string): boolean =>
  segment === expected || (expected.startsWith("@") && segment === `%40${expected.slice(1)}`)

/** The parameters of a path that matches the pattern. */
const parametersOf = (
  pattern: ReadonlyArray<string>,
  segments: ReadonlyArray<string>
): PathParameters | undefined => {
  if (segments.length !== pattern.length) return undefined
  const parameters: Record<string, string> = {}
  for (let index = 0; index < pattern.length; index += 1) {
    const expected = pattern[index] ?? ""
    const segment = segments[index] ?? ""
    if (!expected.startsWith(":")) {
      if (!isLiteral(expected, segment)) return undefined
    } else {
      const value = valueOf(segment)
      if (value === undefined) return undefined
      parameters[expected.slice(1)] = value
    }
  }
  return parameters
}

/** Routes a method and a path, the target of a request without its query. */
export const make = (options: {
  readonly handlers: HandlersOfApi<typeof Api>
  readonly contentChecks: ReadonlyMap<AnyHandler, ContentCheck>
  readonly pages: ReadonlyArray<Page>
}): (method: string, path: string) => Match => {
  const candidates = [
    ...routesOf(options.handlers, options.contentChecks),
    ...options.pages.map((page) => [page.method ?? "GET", page] as const)
  ].map(([method, route]) => ({
    // HEAD is answered as GET, without the body.
    methods: method === "GET" ? ["GET", "HEAD"] : [method],
    pattern: route.path.split("/"),
    route
  }))

  const ofServer: Match = {
    _tag: "OtherMethod",
    path: "*",
    allow: [...new Set(candidates.flatMap(({ methods }) => methods)), "OPTIONS"]
  }

  const find = (method: string, path: string): Match => {
    // The server as a whole (RFC 9110, 9.3.7).
    if (method === "OPTIONS" && path === "*") return ofServer
    const segments = path.split("/")
    const others: typeof candidates = []
    for (const candidate of candidates) {
      const parameters = parametersOf(candidate.pattern, segments)
      if (parameters === undefined) continue
      if (candidate.methods.includes(method)) return { _tag: "Found", route: candidate.route, path: parameters }
      others.push(candidate)
    }
    const [first] = others
    return first === undefined
      ? UNKNOWN
      : { _tag: "OtherMethod", path: first.route.path, allow: [...others.flatMap(({ methods }) => methods), "OPTIONS"] }
  }

  // The match of a path without parameters is always the same.
  const fixed = new Map(
    candidates.filter(({ route }) => !route.path.includes(":")).flatMap(({ methods, route: { path } }) =>
      methods.map((method) => [`${method} ${path}`, find(method, path)])
    )
  )
  return (method, path) => fixed.get(`${method} ${path}`) ?? find(method, path)
}
