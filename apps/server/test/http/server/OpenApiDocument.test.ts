import * as OpenApiDocument from "@community-messaging/http-adapter/OpenApiDocument"
import { AvatarDataUri } from "@community-messaging/http-adapter/webhooks/AvatarDataUri"
import { Schema } from "effect"
import { describe, expect, it } from "vitest"
import { at } from "../JsonPath.ts"

const document = OpenApiDocument.document("https://chat.example/api")

const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
  Object.entries(methods).map(([method, operation]) => ({ name: `${method.toUpperCase()} ${path}`, operation }))
)

/** The error codes of an operation, by status. */
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

/** The object itself and every object in it, at any depth. */
const objectsIn = (value: unknown): ReadonlyArray<object> =>
  typeof value === "object" && value !== null ? [value, ...Object.values(value).flatMap(objectsIn)] : []

const schemas: { readonly [name: string]: unknown } = document.components.schemas

describe("The OpenAPI document", () => {
  it("has the eight operations of the reference, and marks the extensions", () => {
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

  it("does not contain the platform's own errors", () => {
    expect(JSON.stringify(document)).not.toMatch(/HttpApiDecodeError|ParseIssue/)
  })

  it("lists the exact error codes of an operation", () => {
    const body = {
      408: ["REQUEST_TIMEOUT"],
      413: ["PAYLOAD_TOO_LARGE"],
      415: ["UNSUPPORTED_MEDIA_TYPE"],
      429: ["RATE_LIMITED"]
    }
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

  it("has the 35 fields of an account in the order of the reference, all of them required", () => {
    const names = Object.keys(at(schemas, "User", "properties") ?? {})
    expect(names).toHaveLength(35)
    expect(at(schemas, "User", "required")).toEqual(names)
    expect([names[0], names[7], names[21], names[34]]).toEqual([
      "id",
      "avatar",
      "suspicious_activity_flags",
      "last_active_location"
    ])
  })

  it("documents the maximum size of a body", () => {
    const limits = operations.map(({ name, operation }) => [name, operation.requestBody?.description])
    expect(Object.fromEntries(limits)).toMatchObject({
      "GET /v1/users/@me/scheduled-messages": undefined,
      "PATCH /v1/webhooks/{webhook_id}/{token}": "At most 14680064 bytes.",
      "POST /v1/guilds/{guild_id}/members-search": "At most 8192 bytes.",
      "POST /v1/oauth2/authorize/consent": "At most 16384 bytes.",
      "POST /v1/admin/users/schedule-deletion": "At most 8192 bytes.",
      "POST /v1/admin/users/change-email": "At most 4096 bytes.",
      "POST /v1/webhooks/{webhook_id}/{token}/github": "At most 26214400 bytes.",
      "POST /v1/webhooks/{webhook_id}/{token}/sentry": "At most 1048576 bytes."
    })
  })

  it("has the bounds of a search", () => {
    expect(at(schemas, "MemberSearch", "properties")).toMatchObject({
      query: { type: "string", maxLength: 100 },
      limit: { type: "integer", format: "int32", minimum: 1, maximum: 100 },
      offset: { type: "integer", format: "int64", minimum: 0, maximum: 9_007_199_254_740_991 },
      role_ids: { type: "array", maxItems: 10, items: { type: "string" } },
      join_source_type: { type: "array", maxItems: 10, items: { type: "integer" } },
      source_invite_code: { type: "array", maxItems: 10, items: { type: "string" } },
      sort_by: { enum: ["joinedAt", "relevance"] },
      sort_order: { enum: ["asc", "desc"] }
    })
  })

  it("documents the defaults of a search in words: `default` would make the fields required in generated types", () => {
    expect(objectsIn(document).filter((schema) => Object.hasOwn(schema, "default"))).toEqual([])
    const descriptions = ["limit", "offset", "sort_by", "sort_order"].map((field) =>
      at(schemas, "MemberSearch", "properties", field, "description")
    )
    expect(descriptions).toEqual([
      "Maximum results to return; 25 when left out.",
      "Results to skip; 0 when left out.",
      "Sort field; joinedAt when left out.",
      "Sort direction; desc when left out."
    ])
  })

  it("allows only the listed members in the types of generated clients", () => {
    expect(objectsIn(document).filter((schema) => at(schema, "additionalProperties") === true)).toEqual([])
    // The changed fields of an account may have any name: a schema allows that.
    expect(at(schemas, "AuditRecord", "properties", "after", "additionalProperties", "anyOf")).toHaveLength(4)
  })

  it("describes the members of every object: otherwise generated types allow none", () => {
    const described = objectsIn(document).filter((schema) =>
      [at(schema, "type"), at(schema, "type", 0)].includes("object")
    )
    expect(described.length).toBeGreaterThan(50)
    const without = described.filter((schema) =>
      Object.keys(at(schema, "properties") ?? {}).length === 0 && at(schema, "additionalProperties") === undefined
    )
    expect(without).toEqual([])
  })
})

describe("The avatar in the OpenAPI document", () => {
  const avatar = at(schemas, "UpdateWebhook", "properties", "avatar", "anyOf", 0)
  const pattern = new RegExp(String(at(avatar, "pattern")), "u")
  const isTaken = Schema.is(AvatarDataUri)

  it("is a data URI, not mere base64", () => {
    expect(at(avatar, "format")).toBeUndefined()
    expect(at(avatar, "description")).toMatch(/^A data URI/)
  })

  it.each([
    ["data:image/png;base64,iVBORw0KGgo=", true],
    ["data:image/png;base64,iVBORw0KGg==", true],
    ["DATA:image/webp;charset=x;BASE64,AAAA", true],
    ["data:;base64,", true],
    [`data:${"x".repeat(255)};base64,AAAA`, true],
    [`data:${"x".repeat(256)};base64,AAAA`, false],
    [`data:${"\u{1F98A}".repeat(255)};base64,AAAA`, true],
    ["iVBORw0KGgo=", false],
    ["data:image/png,iVBORw0KGgo=", false],
    ["data:image/png;base64,iVBORw0KGg===", false],
    ["data:image/png;base64,iVBO RwoK", false],
    ["data:image/png;base64,iVBO-_oK", false],
    ["data:image/png;base64,AA=A", false],
    ["data:a,b;base64,AAAA", false],
    [" data:image/png;base64,AAAA", false],
    ["data:image/png;ba\u017fe64,AAAA", false]
  ])("has the form that the server accepts: %s", (text, fits) => {
    expect({ published: pattern.test(text), taken: isTaken(text) }).toEqual({ published: fits, taken: fits })
  })

  it("has a pattern that validators can match against the largest image", () => {
    expect(pattern.test(`data:image/png;base64,${"A".repeat(13_981_012)}AA==`)).toBe(true)
  })
})
