import { HttpApi, OpenApi } from "@effect/platform"
import { Context, Option, Predicate, Record } from "effect"
import { Api } from "./Api.ts"
import { BodyLimit } from "./wire/RequestBody.ts"

/*
 * The platform generates the document from the definition. This module adds what the definition lacks: headers, the
 * error codes of each status, and the server's URL.
 */

const header = (type: "string" | "integer" | "number", description: string) => ({ description, schema: { type } })

const headers = {
  RequestId: header("string", "Identifies the request in the log. A valid id in the request is kept."),
  RateLimitLimit: header("integer", "Requests that the bucket allows."),
  RateLimitRemaining: header("integer", "Requests that are left in the bucket."),
  RateLimitReset: header("integer", "When the full quota is available again, in Unix seconds."),
  RateLimitResetAfter: header("number", "Seconds until the full quota is available again, with milliseconds."),
  RateLimitBucket: header("string", "The bucket in which the request was counted."),
  RetryAfter: header("integer", "Seconds to wait before the next request."),
  WwwAuthenticate: header("string", "The required authentication scheme: Bot or Admin.")
} as const

const reference = (name: keyof typeof headers) => ({ $ref: `#/components/headers/${name}` })

const COUNTED = {
  "X-RateLimit-Limit": reference("RateLimitLimit"),
  "X-RateLimit-Remaining": reference("RateLimitRemaining"),
  "X-RateLimit-Reset": reference("RateLimitReset"),
  "X-RateLimit-Reset-After": reference("RateLimitResetAfter"),
  "X-RateLimit-Bucket": reference("RateLimitBucket")
}

const headersOf = (status: string) => ({
  "X-Request-Id": reference("RequestId"),
  ...COUNTED,
  ...(status === "401" && { "WWW-Authenticate": reference("WwwAuthenticate") }),
  ...((status === "429" || status === "503") && { "Retry-After": reference("RetryAfter") })
})

interface Described {
  readonly description: string
}

/** Returns the component names of all schemas of a response. */
const componentsOf = (response: OpenApi.OpenApiSpecResponse): ReadonlyArray<string> => {
  const schema = response.content?.["application/json"]?.schema
  const members = schema === undefined ? [] : "anyOf" in schema ? schema.anyOf : [schema]
  return members.flatMap((member) => "$ref" in member ? [member.$ref.replace("#/components/schemas/", "")] : [])
}

/** Lists all errors of a status with their codes, one per line. */
const describeErrors = (
  response: OpenApi.OpenApiSpecResponse,
  schemas: OpenApi.OpenAPIComponents["schemas"]
): Described => {
  const errors = componentsOf(response).flatMap((name) => {
    const schema = schemas[name]
    if (schema === undefined || !("properties" in schema)) return []
    const code = schema.properties["code"]
    return code !== undefined && "enum" in code ? [`\`${code.enum.join()}\`: ${schema.description ?? ""}`] : []
  })
  return { description: errors.length === 0 ? response.description : errors.join("\n\n") }
}

const DESCRIPTION = [
  "Bodies are JSON in UTF-8, not compressed; a body without a `Content-Type` is treated as JSON. Unknown fields of requests are ignored.",
  "The body of every error is `{code, message, errors?}`.",
  "Unknown paths get 404 `NOT_FOUND`, unsupported methods 405 `METHOD_NOT_ALLOWED` with an `Allow` header.",
  "Each started 256 KiB of a body counts in the bucket `body`, except the first.",
  "The `X-RateLimit-*` headers report rate limits if they are on; responses 500 and 503 may lack them."
].join("\n\n")

/** The maximum body size of each operation in bytes, by operation id. */
const bodyLimits = (): ReadonlyMap<string, number> => {
  const limits = new Map<string, number>()
  HttpApi.reflect(Api, {
    onGroup: () => {},
    onEndpoint: ({ endpoint, group, mergedAnnotations }) => {
      const limit = Context.getOption(mergedAnnotations, BodyLimit)
      if (Option.isSome(limit)) limits.set(`${group.identifier}.${endpoint.name}`, limit.value)
    }
  })
  return limits
}

const completeOperation = (
  limits: ReadonlyMap<string, number>,
  { requestBody, responses, ...operation }: OpenApi.OpenAPISpecOperation,
  schemas: OpenApi.OpenAPIComponents["schemas"]
) => ({
  ...operation,
  ...(requestBody !== undefined && {
    requestBody: { ...requestBody, description: `At most ${limits.get(operation.operationId)} bytes.` }
  }),
  responses: Record.map(responses, (response, status) => ({
    ...response,
    ...describeErrors(response, schemas),
    headers: headersOf(status)
  }))
})

/**
 * Removes `additionalProperties: true` from a schema. It is the default anyway. If it is present, generated client
 * types accept any property name, so that the compiler no longer finds typing errors.
 */
const withoutOpenness = (schema: unknown): unknown => {
  if (Array.isArray(schema)) return schema.map(withoutOpenness)
  if (!Predicate.isRecord(schema)) return schema
  const { additionalProperties, ...keywords } = schema
  return {
    ...Record.map(keywords, withoutOpenness),
    ...(Predicate.isRecord(additionalProperties) && { additionalProperties: withoutOpenness(additionalProperties) })
  }
}

const complete = (
  { components, info, paths, security: _none, ...spec }: OpenApi.OpenAPISpec,
  limits: ReadonlyMap<string, number>
) => ({
  ...spec,
  info: { ...info, description: DESCRIPTION },
  paths: Record.map(paths, (operations) =>
    Object.fromEntries(
      Object.entries(operations).map(([method, operation]) => [
        method,
        completeOperation(limits, operation, components.schemas)
      ])
    )),
  components: { ...components, schemas: Record.map(components.schemas, withoutOpenness), headers }
})

const described = complete(OpenApi.fromApi(Api, { additionalPropertiesStrategy: "allow" }), bodyLimits())

/** Returns the API as an OpenAPI 3.1 document. `publicUrl` is the address of the service for clients. */
export const document = (publicUrl: string) => ({ ...described, servers: [{ url: publicUrl }] })
