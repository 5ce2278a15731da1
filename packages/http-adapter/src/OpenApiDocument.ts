import * as HttpApi from "@effect/platform/HttpApi"
import * as OpenApi from "@effect/platform/OpenApi"
import { Context, Predicate, Record } from "effect"
import { administration } from "./accounts/Examples.ts"
import { Api } from "./Api.ts"
import { guildMembers } from "./guild-members/Examples.ts"
import { oauth2 } from "./oauth2/Examples.ts"
import { logs } from "./operations/Examples.ts"
import * as ResponseHeaders from "./ResponseHeaders.ts"
import { scheduledMessages } from "./scheduled-messages/Examples.ts"
import { webhooks } from "./webhooks/Examples.ts"
import * as ApiErrors from "./wire/ApiError.ts"
import type { Example } from "./wire/Example.ts"
import { RequestRules } from "./wire/RequestRules.ts"
import type { Violation } from "./wire/Violation.ts"

/*
 * The platform generates the document from the definition. This module adds what the definition lacks: headers, examples,
 * the error codes of each status, and the server's URL.
 */

type Schemas = OpenApi.OpenAPIComponents["schemas"]

/** Returns the component names of all schemas of a response. */
const componentsOf = (response: OpenApi.OpenApiSpecResponse): ReadonlyArray<string> => {
  const schema = response.content?.["application/json"]?.schema
  const members = schema === undefined ? [] : "anyOf" in schema ? schema.anyOf : [schema]
  return members.flatMap((member) => "$ref" in member ? [member.$ref.replace("#/components/schemas/", "")] : [])
}

/** Adds fields to each media type of a content. */
const mapContent = (content: OpenApi.OpenApiSpecContent, more: object) =>
  Object.fromEntries(Object.entries(content).map(([type, mediaType]) => [type, { ...mediaType, ...more }]))

/** The fields of all classes that have no default. */
interface ErrorFields {
  readonly message?: string
  readonly errors: ReadonlyArray<Violation>
  readonly retry_after: number
}

const errorClasses: Readonly<Record<string, new(fields: ErrorFields) => { readonly code: string }>> = ApiErrors

/** The errors of a response, as the server sends them: the body, and when it occurs as the summary. */
const errorsOf = (response: OpenApi.OpenApiSpecResponse, schemas: Schemas, { violations }: Example) =>
  componentsOf(response).flatMap((name) => {
    const ErrorClass = errorClasses[name]
    if (ErrorClass === undefined) return []
    const body = new ErrorClass({ errors: violations, retry_after: 3 })
    return [{ summary: schemas[name]?.description ?? "", value: { ...body } }]
  })

const errorResponse = (response: OpenApi.OpenApiSpecResponse, errors: ReturnType<typeof errorsOf>) => ({
  // All errors of the status with their codes, one per line.
  description: errors.map(({ summary, value }) => `\`${value.code}\`: ${summary}`).join("\n\n"),
  content: mapContent(response.content ?? {}, {
    examples: Object.fromEntries(errors.map((error) => [error.value.code, error]))
  })
})

const successResponse = (response: OpenApi.OpenApiSpecResponse, { response: value }: Example) => ({
  description: response.description,
  ...(response.content !== undefined && { content: mapContent(response.content, { example: value }) })
})

const DESCRIPTION = [
  "Bodies are JSON in UTF-8, not compressed; a body without a `Content-Type` is treated as JSON. Unknown fields of requests are ignored.",
  "The body of every error is `{code, message, errors?, retry_after?}`.",
  "Unknown paths get 404 `NOT_FOUND`, unsupported methods 405 `METHOD_NOT_ALLOWED` with an `Allow` header.",
  "Each started 256 KiB of a body counts in the bucket `body`, except the first.",
  "The `X-RateLimit-*` headers report rate limits if they are on; responses 500 and 503 may lack them."
].join("\n\n")

/** The example of every operation, by its id. */
const EXAMPLES: Readonly<Record<string, Example>> = {
  ...oauth2,
  ...scheduledMessages,
  ...guildMembers,
  ...administration,
  ...webhooks,
  ...logs
}

/** The maximum sizes of all bodies in bytes, by operation id. */
const collectBodyLimits = (): ReadonlyMap<string, number> => {
  const limits = new Map<string, number>()
  HttpApi.reflect(Api, {
    onGroup: () => {},
    onEndpoint: ({ endpoint: { annotations } }) => {
      const { bodyLimit } = Context.unsafeGet(annotations, RequestRules)
      if (bodyLimit !== undefined) limits.set(Context.unsafeGet(annotations, OpenApi.Identifier), bodyLimit)
    }
  })
  return limits
}

const completeOperation = (
  bodyLimits: ReadonlyMap<string, number>,
  { parameters, requestBody, responses, ...operation }: OpenApi.OpenAPISpecOperation,
  schemas: Schemas
) => {
  const example: Example = EXAMPLES[operation.operationId] ?? { violations: [] }
  return {
    ...operation,
    parameters: parameters.map((parameter) => ({
      ...parameter,
      schema: tidy(parameter.schema),
      ...(example.parameters?.[parameter.name] !== undefined && { example: example.parameters[parameter.name] })
    })),
    ...(requestBody !== undefined && {
      requestBody: {
        ...requestBody,
        content: mapContent(requestBody.content, { example: example.request }),
        description: `At most ${bodyLimits.get(operation.operationId) ?? 0} bytes.`
      }
    }),
    responses: Record.map(responses, (response, status) => {
      const errors = errorsOf(response, schemas, example)
      return {
        ...response,
        ...(errors.length === 0 ? successResponse(response, example) : errorResponse(response, errors)),
        headers: ResponseHeaders.ofStatus(status)
      }
    })
  }
}

/** The only schema that a list of one schema refers to. */
const onlyReference = (schemas: unknown): unknown =>
  Array.isArray(schemas) && schemas.length === 1 && Predicate.hasProperty(schemas[0], "$ref") ? schemas[0] : undefined

/**
 * Removes `additionalProperties: true` from a schema. It is the default anyway. If it is present, generated client
 * types accept any property name, so that the compiler no longer finds typing errors. A reference with a description is
 * written as OpenAPI 3.1 allows it, without an `allOf` around it.
 */
const tidy = (schema: unknown): unknown => {
  if (Array.isArray(schema)) return schema.map(tidy)
  if (!Predicate.isRecord(schema)) return schema
  const { additionalProperties, allOf, ...keywords } = schema
  const reference = onlyReference(allOf)
  return {
    ...(Predicate.isRecord(reference) ? reference : allOf !== undefined && { allOf: tidy(allOf) }),
    ...Record.map(keywords, tidy),
    ...(Predicate.isRecord(additionalProperties) && { additionalProperties: tidy(additionalProperties) })
  }
}

const complete = (
  { components, info, paths, security: _none, ...spec }: OpenApi.OpenAPISpec,
  bodyLimits: ReadonlyMap<string, number>
) => ({
  ...spec,
  info: { ...info, description: DESCRIPTION, license: { name: "MIT", identifier: "MIT" } },
  paths: Record.map(paths, (operations) =>
    Object.fromEntries(
      Object.entries(operations).map(([method, operation]) => [
        method,
        completeOperation(bodyLimits, operation, components.schemas)
      ])
    )),
  components: {
    ...components,
    schemas: Record.map(components.schemas, tidy),
    headers: ResponseHeaders.components
  }
})

const described = complete(OpenApi.fromApi(Api, { additionalPropertiesStrategy: "allow" }), collectBodyLimits())

/** Returns the API as an OpenAPI 3.1 document. `publicUrl` is the address of the service for clients. */
export const document = (publicUrl: string) => ({ ...described, servers: [{ url: publicUrl }] })
