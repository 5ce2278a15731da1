import { document } from "@community-messaging/http-adapter/definition/OpenApiDocument"
import { Validator } from "@seriousme/openapi-schema-validator"
import { Schema } from "effect"
import { describe, expect, it } from "vitest"

const readDocument = Schema.decodeSync(
  Schema.parseJson(Schema.Record({ key: Schema.String, value: Schema.Unknown }))
)

const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
  Object.entries(methods).map(([method, operation]) => ({ name: `${method.toUpperCase()} ${path}`, operation }))
)

/** The codes that an operation answers with, by status. */
const codesOf = (name: string): Record<string, ReadonlyArray<string>> => {
  const found = operations.find((operation) => operation.name === name)
  return Object.fromEntries(
    Object.entries(found?.operation.responses ?? {})
      .filter(([status]) => status.startsWith("4"))
      .map((
        [status, { description }]
      ) => [status, Array.from(description.matchAll(/`([A-Z_]+)`: /g), ([, code]) => code ?? "")])
  )
}

const references = (value: unknown): ReadonlyArray<string> => {
  if (typeof value !== "object" || value === null) return []
  return Object.entries(value).flatMap(([key, member]) =>
    key === "$ref" && typeof member === "string" ? [member] : references(member)
  )
}

describe("The OpenAPI document", () => {
  it("is of OpenAPI 3.1", () => {
    expect(document.openapi).toBe("3.1.0")
  })

  it("is valid by the schema of OpenAPI itself", async () => {
    const { errors, valid } = await new Validator().validate(readDocument(JSON.stringify(document)))
    expect({ errors, valid }).toEqual({ errors: undefined, valid: true })
  })

  it("has the eight operations of the reference, and marks what is an extension of it", () => {
    const isExtension = ({ operation }: typeof operations[number]) => operation.tags.includes("Logs (extension)")
    expect(operations.filter(isExtension).map(({ name, operation }) => [name, operation.summary])).toEqual([
      ["GET /v1/admin/events", "Stream events (extension)"],
      ["GET /v1/admin/audit-log", "Read the audit log (extension)"]
    ])
    expect(operations.filter((operation) => !isExtension(operation)).map(({ name }) => name).sort()).toEqual([
      "GET /v1/users/@me/scheduled-messages",
      "PATCH /v1/webhooks/{webhook_id}/{token}",
      "POST /v1/admin/users/change-email",
      "POST /v1/admin/users/schedule-deletion",
      "POST /v1/guilds/{guild_id}/members-search",
      "POST /v1/oauth2/authorize/consent",
      "POST /v1/webhooks/{webhook_id}/{token}/github",
      "POST /v1/webhooks/{webhook_id}/{token}/sentry"
    ])
  })

  it("resolves all of its references", () => {
    const missing = references(document).filter((reference) => {
      const [, , kind = "", name = ""] = reference.split("/")
      return !(kind === "headers" ? name in document.components.headers : name in document.components.schemas)
    })
    expect(missing).toEqual([])
  })

  it.each(operations)("declares every parameter of the path: $name", ({ name, operation }) => {
    const declared = operation.parameters.filter((parameter) => parameter.in === "path").map((parameter) =>
      parameter.name
    )
    expect(declared).toEqual(Array.from(name.matchAll(/\{(\w+)\}/g), ([, parameter]) => parameter))
  })

  it("says nothing of the platform's own errors", () => {
    expect(JSON.stringify(document)).not.toMatch(/HttpApiDecodeError|ParseIssue/)
  })

  it("names the credentials of each operation", () => {
    const schemes = operations.map(({ name, operation }) => [name, operation.security.flatMap(Object.keys).join()])
    expect(Object.fromEntries(schemes)).toEqual({
      "GET /v1/admin/audit-log": "AdminKey",
      "GET /v1/admin/events": "AdminKey",
      "GET /v1/users/@me/scheduled-messages": "BotToken",
      "PATCH /v1/webhooks/{webhook_id}/{token}": "",
      "POST /v1/admin/users/change-email": "AdminKey",
      "POST /v1/admin/users/schedule-deletion": "AdminKey",
      "POST /v1/guilds/{guild_id}/members-search": "BotToken",
      "POST /v1/oauth2/authorize/consent": "BotToken",
      "POST /v1/webhooks/{webhook_id}/{token}/github": "",
      "POST /v1/webhooks/{webhook_id}/{token}/sentry": ""
    })
  })

  it("says exactly which codes an operation answers with", () => {
    const body = { 413: ["PAYLOAD_TOO_LARGE"], 415: ["UNSUPPORTED_MEDIA_TYPE"], 429: ["RATE_LIMITED"] }
    expect(codesOf("POST /v1/guilds/{guild_id}/members-search")).toEqual({
      400: ["INVALID_FORM_BODY", "INVALID_JSON"],
      401: ["UNAUTHORIZED"],
      403: ["ACCOUNT_SCHEDULED_FOR_DELETION", "MISSING_PERMISSIONS"],
      404: ["UNKNOWN_GUILD"],
      ...body
    })
    expect(codesOf("GET /v1/users/@me/scheduled-messages")).toEqual({
      400: ["INVALID_FORM_BODY"],
      401: ["UNAUTHORIZED"],
      403: ["ACCOUNT_SCHEDULED_FOR_DELETION"],
      429: ["RATE_LIMITED"]
    })
    expect(codesOf("POST /v1/admin/users/schedule-deletion")).toEqual({
      400: ["INVALID_FORM_BODY", "INVALID_JSON"],
      401: ["UNAUTHORIZED"],
      403: ["MISSING_ACL"],
      404: ["UNKNOWN_USER"],
      409: ["CONFLICT"],
      ...body
    })
    expect(codesOf("PATCH /v1/webhooks/{webhook_id}/{token}")).toEqual({
      400: ["INVALID_FORM_BODY", "INVALID_JSON"],
      403: ["ACCESS_DENIED"],
      404: ["UNKNOWN_WEBHOOK"],
      ...body
    })
  })

  it("has the 35 fields of an account in the order of the reference, all of them always present", () => {
    const user = document.components.schemas["User"]
    const names = user !== undefined && "properties" in user ? Object.keys(user.properties) : []
    expect(names).toHaveLength(35)
    expect(user !== undefined && "required" in user ? user.required : []).toEqual(names)
    expect([names[0], names[7], names[21], names[34]]).toEqual([
      "id",
      "avatar",
      "suspicious_activity_flags",
      "last_active_location"
    ])
  })

  it("says how large a body may be", () => {
    const limits = operations.map(({ name, operation }) => [name, operation.requestBody?.description])
    expect(Object.fromEntries(limits)).toMatchObject({
      "GET /v1/users/@me/scheduled-messages": undefined,
      "PATCH /v1/webhooks/{webhook_id}/{token}": "At most 14680064 bytes.",
      "POST /v1/guilds/{guild_id}/members-search": "At most 1048576 bytes.",
      "POST /v1/webhooks/{webhook_id}/{token}/github": "At most 26214400 bytes.",
      "POST /v1/webhooks/{webhook_id}/{token}/sentry": "At most 1048576 bytes."
    })
  })

  it("has the bounds of a search", () => {
    const search = document.components.schemas["MemberSearch"]
    expect(search !== undefined && "properties" in search ? search.properties : {}).toMatchObject({
      query: { type: "string", maxLength: 100 },
      limit: { type: "integer", format: "int32", minimum: 1, maximum: 100, default: 25 },
      offset: { type: "integer", format: "int64", minimum: 0, maximum: 9_007_199_254_740_991, default: 0 },
      role_ids: { type: "array", maxItems: 10, items: { type: "string" } },
      join_source_type: { type: "array", maxItems: 10, items: { type: "integer" } },
      source_invite_code: { type: "array", maxItems: 10, items: { type: "string" } },
      sort_by: { enum: ["joinedAt", "relevance"], default: "joinedAt" },
      sort_order: { enum: ["asc", "desc"], default: "desc" }
    })
  })
})
