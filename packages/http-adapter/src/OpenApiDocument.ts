import * as HttpApi from "@effect/platform/HttpApi"
import * as OpenApi from "@effect/platform/OpenApi"
import { Context, Option, Predicate, Record } from "effect"
import { Api } from "./Api.ts"
import * as OperationExamples from "./OperationExamples.ts"
import { operationId } from "./OperationId.ts"
import * as ResponseHeaders from "./ResponseHeaders.ts"
import { errorExamples } from "./wire/ErrorExamples.ts"
import type { Example } from "./wire/Example.ts"
import { BodyLimit } from "./wire/RequestBody.ts"

/*
 * The platform generates the document from the definition. This module adds what the definition lacks: headers, examples,
 * the error codes of each status, and the server's URL.
 */

type Schemas = OpenApi.OpenAPIComponents["schemas"]

/** An error of a response: the name of its component, its code and when it occurs. */
interface DocumentedError {
  readonly name: string
  readonly code: string
  readonly description: string
}

/** Returns the component names of all schemas of a response. */
const componentsOf = (response: OpenApi.OpenApiSpecResponse): ReadonlyArray<string> => {
  const schema = response.content?.["application/json"]?.schema
  const members = schema === undefined ? [] : "anyOf" in schema ? schema.anyOf : [schema]
  return members.flatMap((member) => "$ref" in member ? [member.$ref.replace("#/components/schemas/", "")] : [])
}

const errorsOf = (response: OpenApi.OpenApiSpecResponse, schemas: Schemas): ReadonlyArray<DocumentedError> =>
  componentsOf(response).flatMap((name) => {
    const schema = schemas[name]
    if (schema === undefined || !("properties" in schema)) return []
    const code = schema.properties["code"]
    return code !== undefined && "enum" in code
      ? [{ name, code: code.enum.join(), description: schema.description ?? "" }]
      : []
  })

/** Adds fields to each media type of a content. */
const mapContent = (content: OpenApi.OpenApiSpecContent, more: object) =>
  Object.fromEntries(Object.entries(content).map(([type, mediaType]) => [type, { ...mediaType, ...more }]))

const errorResponse = (
  response: OpenApi.OpenApiSpecResponse,
  errors: ReadonlyArray<DocumentedError>,
  { violations }: Example
) => {
  const bodies: Readonly<Record<string, object>> = errorExamples(violations)
  const examples = Object.fromEntries(
    errors.map(({ code, description, name }) => [code, { summary: description, value: { ...bodies[name] } }])
  )
  return {
    // All errors of the status with their codes, one per line.
    description: errors.map(({ code, description }) => `\`${code}\`: ${description}`).join("\n\n"),
    content: mapContent(response.content ?? {}, { examples })
  }
}

const successResponse = (response: OpenApi.OpenApiSpecResponse, { response: value }: Example) => ({
  description: response.description,
  ...(response.content !== undefined && { content: mapContent(response.content, { example: value }) })
})

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
    onEndpoint: ({ endpoint, mergedAnnotations }) => {
      const limit = Context.getOption(mergedAnnotations, BodyLimit)
      if (Option.isSome(limit)) limits.set(operationId(endpoint), limit.value)
    }
  })
  return limits
}

const NO_EXAMPLE: Example = { violations: [] }

const completeOperation = (
  limits: ReadonlyMap<string, number>,
  { parameters, requestBody, responses, ...operation }: OpenApi.OpenAPISpecOperation,
  schemas: Schemas
) => {
  const example = OperationExamples.byOperationId.get(operation.operationId) ?? NO_EXAMPLE
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
        description: `At most ${limits.get(operation.operationId)} bytes.`
      }
    }),
    responses: Record.map(responses, (response, status) => {
      const errors = errorsOf(response, schemas)
      return {
        ...response,
        ...(errors.length === 0 ? successResponse(response, example) : errorResponse(response, errors, example)),
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
  limits: ReadonlyMap<string, number>
) => ({
  ...spec,
  info: { ...info, description: DESCRIPTION, license: { name: "MIT", identifier: "MIT" } },
  paths: Record.map(paths, (operations) =>
    Object.fromEntries(
      Object.entries(operations).map(([method, operation]) => [
        method,
        completeOperation(limits, operation, components.schemas)
      ])
    )),
  components: {
    ...components,
    schemas: Record.map(components.schemas, tidy),
    headers: ResponseHeaders.components
  }
})

const described = complete(OpenApi.fromApi(Api, { additionalPropertiesStrategy: "allow" }), bodyLimits())

/** Returns the API as an OpenAPI 3.1 document. `publicUrl` is the address of the service for clients. */
export const document = (publicUrl: string) => ({ ...described, servers: [{ url: publicUrl }] })
