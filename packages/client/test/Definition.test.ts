import type { ChangeEmailBody, ScheduleDeletionBody, UserResult } from "@community-messaging/http-adapter/accounts/Api"
import { Api } from "@community-messaging/http-adapter/Api"
import type { MemberSearchBody, MemberSearchResult } from "@community-messaging/http-adapter/guild-members/Api"
import type { ConsentBody, ConsentResult } from "@community-messaging/http-adapter/oauth2/Api"
import type { AuditPage } from "@community-messaging/http-adapter/operations/Api"
import type { EventResource } from "@community-messaging/http-adapter/operations/EventResource"
import type {
  ScheduledMessageResource
} from "@community-messaging/http-adapter/scheduled-messages/ScheduledMessageResource"
import type { CodeHostBody, ErrorTrackerBody, UpdateWebhookBody } from "@community-messaging/http-adapter/webhooks/Api"
import type { WebhookResource } from "@community-messaging/http-adapter/webhooks/WebhookResource"
import * as ApiErrors from "@community-messaging/http-adapter/wire/ApiError"
import type { Violation } from "@community-messaging/http-adapter/wire/Violation"
import * as OpenApi from "@effect/platform/OpenApi"
import { describe, expect, expectTypeOf, it } from "vitest"
import type { Operation } from "../src/Operation.ts"
import { OPERATIONS, PROTOCOL_ERRORS } from "../src/Operations.ts"
import type * as Resources from "../src/Resources.ts"

const operations: ReadonlyArray<Operation> = Object.values(OPERATIONS).flatMap((group) => Object.values(group))

// The published document is generated from the same definition, by other code.
const published = OpenApi.fromApi(Api)

/** The operations of the published document, as rows of the table. */
const documented = Object.entries(published.paths).flatMap(([path, methods]) =>
  Object.entries(methods).map(([method, operation]) => {
    const named = (place: string) =>
      operation.parameters.filter((parameter) => parameter.in === place).map(({ name }) => name).sort()
    return {
      method: method.toUpperCase(),
      path,
      inPath: named("path"),
      query: named("query"),
      headers: named("header"),
      body: operation.requestBody !== undefined,
      success: Object.keys(operation.responses).filter((status) => status.startsWith("2")).map(Number),
      schemes: operation.security.flatMap((each) => Object.keys(each))
    }
  })
)

const SCHEMES = { bot: ["BotToken"], admin: ["AdminKey"], none: [] }

describe("The table of operations", () => {
  it("has each operation as the published document describes it", () => {
    expect(operations.map(({ body, credentials, headers, method, path, query, success }) => ({
      method,
      path,
      inPath: Array.from(path.matchAll(/\{(\w+)\}/g), ([, name = ""]) => name).sort(),
      query: [...query].sort(),
      headers: [...headers].sort(),
      body,
      success,
      schemes: SCHEMES[credentials]
    }))).toEqual(documented)
  })

  it("has the errors of each operation, and none twice", () => {
    const codeOf = (reference: string) => {
      const schema = published.components.schemas[reference.slice(reference.lastIndexOf("/") + 1)]
      return JSON.stringify(schema).match(/"enum":\["([A-Z_]+)"\]/)?.[1] ?? reference
    }
    for (const { errors, method, path } of operations) {
      const operation = Object.entries(published.paths[path] ?? {}).find(([name]) => name.toUpperCase() === method)?.[1]
      const failures = Object.entries(operation?.responses ?? {}).filter(([status]) => !status.startsWith("2"))
      const references = JSON.stringify(failures).match(/#\/components\/schemas\/\w+/g) ?? []
      expect(errors).toEqual(references.map(codeOf).sort())
      expect(new Set(errors).size).toBe(errors.length)
    }
  })

  it("has every error of the API, in an operation or as an error without one", () => {
    const codes = new Set([...operations.flatMap(({ errors }) => errors), ...PROTOCOL_ERRORS])
    expect(codes.size).toBe(Object.keys(ApiErrors).length)
  })

  it("repeats only idempotent operations: reading, and setting a value", () => {
    expect(operations.filter(({ idempotent }) => idempotent).map(({ id }) => id).sort()).toEqual([
      "administration.changeEmail",
      "guildMembers.search",
      "logs.readAuditLog",
      "logs.streamEvents",
      "scheduledMessages.list",
      "webhooks.update"
    ])
  })
})

/* These types are compared by the compiler: `npm test` fails if they differ. */
describe("The types of requests and resources", () => {
  it("are those of the definition's schemas on the wire", () => {
    expectTypeOf<Resources.ConsentRequest>().toEqualTypeOf<typeof ConsentBody.Encoded>()
    expectTypeOf<Resources.ConsentResult>().toEqualTypeOf<typeof ConsentResult.Encoded>()
    expectTypeOf<Resources.ScheduledMessage>().toEqualTypeOf<typeof ScheduledMessageResource.Encoded>()
    expectTypeOf<Resources.MemberSearch>().toEqualTypeOf<typeof MemberSearchBody.Encoded>()
    expectTypeOf<Resources.MemberSearchResult>().toEqualTypeOf<typeof MemberSearchResult.Encoded>()
    expectTypeOf<Resources.ScheduleDeletion>().toEqualTypeOf<typeof ScheduleDeletionBody.Encoded>()
    expectTypeOf<Resources.ChangeEmail>().toEqualTypeOf<typeof ChangeEmailBody.Encoded>()
    expectTypeOf<Resources.UserResult>().toEqualTypeOf<typeof UserResult.Encoded>()
    expectTypeOf<Resources.UpdateWebhook>().toEqualTypeOf<typeof UpdateWebhookBody.Encoded>()
    expectTypeOf<Resources.Webhook>().toEqualTypeOf<typeof WebhookResource.Encoded>()
    expectTypeOf<Resources.AuditPage>().toEqualTypeOf<typeof AuditPage.Encoded>()
    expectTypeOf<Resources.Violation>().toEqualTypeOf<typeof Violation.Encoded>()
    expectTypeOf<Resources.Event>().toEqualTypeOf<typeof EventResource.Encoded>()
  })

  it("accept every notification that the definition accepts, with types for fields that it does not check", () => {
    expectTypeOf<Resources.CodeHostNotification>().toExtend<typeof CodeHostBody.Encoded>()
    expectTypeOf<Resources.ErrorTrackerNotification>().toExtend<typeof ErrorTrackerBody.Encoded>()
  })
})
