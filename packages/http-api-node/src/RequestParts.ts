import {
  type HttpApiEndpoint,
  HttpApiSchema,
  HttpMethod,
  HttpRouter,
  HttpServerRequest,
  Multipart,
  UrlParams
} from "@effect/platform"
import { Context, Effect, Either, Option, Schema, type SchemaAST } from "effect"
import type { Step } from "./Middlewares.ts"
import { type DecodedParts, NodeRequest } from "./NodeRequest.ts"
import * as QueryLists from "./QueryLists.ts"

type Request = HttpServerRequest.HttpServerRequest

/** Any endpoint of an API, as `HttpApi.reflect` shows it. */
export type Endpoint = HttpApiEndpoint.HttpApiEndpoint<string, HttpMethod.HttpMethod>

type PartSchema = Option.Option<Schema.Schema<never, unknown>>

/** What a handler is called with. */
export interface Arguments extends DecodedParts {
  readonly request: Request
}

/** How a handler gets one part of a request, decoded. */
interface Part {
  readonly name: keyof DecodedParts
  readonly decode: (request: Request, context: Context.Context<never>) => Step<unknown>
}

/** What the context of every request holds. */
const service = <I, S>(context: Context.Context<never>, tag: Context.Tag<I, S>): S => Context.unsafeGet(context, tag)

const part = (
  name: keyof DecodedParts,
  schema: PartSchema,
  find: (request: Request, context: Context.Context<never>) => unknown
): ReadonlyArray<Part> =>
  Option.toArray(schema).map((present) => {
    const decode = Schema.decodeUnknown(present)
    return { name, decode: (request, context) => decode(find(request, context)) }
  })

/** The payload as its content type tells, not decoded yet. What can not be read is a defect, as it is to the platform. */
const encodedPayload = (ast: SchemaAST.AST) => {
  const limits = HttpApiSchema.getMultipart(ast)
  return (request: Request, context: Context.Context<never>): Step<unknown> => {
    if (!HttpMethod.hasBody(request.method)) {
      return Effect.succeed(service(context, HttpServerRequest.ParsedSearchParams))
    }
    const type = request.headers["content-type"]?.toLowerCase().trim() ?? "application/json"
    if (type.includes("application/json")) return Effect.orDie(request.json)
    if (type.includes("multipart/form-data")) {
      return Effect.orDie(limits === undefined ? request.multipart : Multipart.withLimits(request.multipart, limits))
    }
    if (type.includes("x-www-form-urlencoded")) {
      return Effect.map(Effect.orDie(request.urlParamsBody), UrlParams.toRecord)
    }
    if (type.startsWith("text/")) return Effect.orDie(request.text)
    return Effect.map(Effect.orDie(request.arrayBuffer), (buffer) => new Uint8Array(buffer))
  }
}

const payloadPart = (schema: PartSchema, raw: boolean): ReadonlyArray<Part> =>
  Option.toArray(schema).flatMap((present): ReadonlyArray<Part> => {
    const limits = HttpApiSchema.getMultipartStream(present.ast)
    if (limits !== undefined) {
      const stream = (request: Request) => Effect.succeed(Multipart.withLimitsStream(request.multipartStream, limits))
      return [{ name: "payload", decode: stream }]
    }
    // A handler of the whole request reads the body itself.
    if (raw) return []
    const encoded = encodedPayload(present.ast)
    const decode = Schema.decodeUnknown(present)
    return [{ name: "payload", decode: (request, context) => Effect.flatMap(encoded(request, context), decode) }]
  })

/** What a middleware has decoded. */
const decodedOf = (request: Request): DecodedParts => request instanceof NodeRequest ? request.decoded : {}

/**
 * Decodes the parts of a request for the handler of an endpoint, the first failure counting: path, payload, headers, query.
 * Parts that a middleware has decoded are taken from it.
 */
export const make = (endpoint: Endpoint, raw: boolean): (context: Context.Context<never>) => Step<Arguments> => {
  const listed = QueryLists.listing(endpoint.urlParamsSchema)
  const parts = [
    ...part("path", endpoint.pathSchema, (_, context) => service(context, HttpRouter.RouteContext).params),
    ...payloadPart(endpoint.payloadSchema, raw),
    ...part("headers", endpoint.headersSchema, ({ headers }) => headers),
    ...part(
      "urlParams",
      endpoint.urlParamsSchema,
      (_, context) => listed(service(context, HttpServerRequest.ParsedSearchParams))
    )
  ]

  return (context) => {
    const request = service(context, HttpServerRequest.HttpServerRequest)
    const known = decodedOf(request)
    const found: { -readonly [name in keyof Arguments]: Arguments[name] } = { request }
    // Decoding is synchronous in all but rare schemas: an Either is looked into here and not by the fiber.
    const from = (index: number): Step<Arguments> => {
      for (let at = index; at < parts.length; at++) {
        const next = parts[at]
        if (next === undefined) break
        const decoded = next.name in known ? Either.right(known[next.name]) : next.decode(request, context)
        if (!Either.isEither(decoded)) {
          return Effect.flatMap(decoded, (value) => {
            found[next.name] = value
            return from(at + 1)
          })
        }
        if (Either.isLeft(decoded)) return Effect.fail(decoded.left)
        found[next.name] = decoded.right
      }
      return Either.right(found)
    }
    return from(0)
  }
}
