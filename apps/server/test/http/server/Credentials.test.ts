import type { AccessControl } from "@community-messaging/domain/access/Credential"
import { CredentialRepository } from "@community-messaging/domain/access/CredentialRepository"
import { StorageError } from "@community-messaging/domain/shared-kernel/StorageError"
import { WebhookRepository } from "@community-messaging/domain/webhook/WebhookRepository"
import * as StorageMemory from "@community-messaging/storage-memory/StorageMemory"
import { layer } from "@effect/vitest"
import { Context, Effect, Layer, Redacted } from "effect"
import { expect } from "vitest"
import { expectError, expectViolations } from "../Expectations.ts"
import * as Fixtures from "../Fixtures.ts"
import { send } from "../HttpClient.ts"
import { onMemory, testServer } from "../TestServer.ts"

const LIST = "/v1/users/@me/scheduled-messages"

/** The operations of bots. */
const OF_BOTS = [
  ["GET", LIST],
  ["POST", "/v1/oauth2/authorize/consent"],
  ["POST", "/v1/guilds/1/members-search"]
] as const

/** The operations of administrators, with the access control that each requires and a valid body. */
const OF_ADMINISTRATORS: ReadonlyArray<readonly [method: string, path: string, acl: AccessControl, body?: object]> = [
  ["POST", "/v1/admin/users/schedule-deletion", "user:delete", { user_id: "1", reason_code: 1 }],
  ["POST", "/v1/admin/users/change-email", "user:update:email", { user_id: "1", email: "a@example.test" }],
  ["GET", "/v1/admin/events", "events:read"],
  ["GET", "/v1/admin/audit-log", "audit:read"]
]

const ACLS = OF_ADMINISTRATORS.map(([, , acl]) => acl)

/** The operations of webhooks: the path after the token. */
const OF_WEBHOOKS = [["PATCH", ""], ["POST", "/github"], ["POST", "/sentry"]] as const

/** Accepted and refused credentials (API gaps, Errors and Credentials). */
onMemory("Credentials", (it) => {
  const list = (authorization: string) => send(LIST, { headers: { authorization } })

  it.effect.each(OF_BOTS)(
    "are those of a bot, and no others, before the body is read: %s %s",
    ([method, path]) =>
      Effect.gen(function*() {
        const { token } = yield* Fixtures.adminKey("*")
        for (const credentials of [{}, { admin: token }, { bot: token }]) {
          const response = yield* send(path, { method, ...(method === "POST" && { body: "{" }), ...credentials })
          expectError(response, 401, "UNAUTHORIZED")
          expect(response.headers["www-authenticate"]).toBe("Bot")
        }
      })
  )

  it.effect.each(OF_ADMINISTRATORS)(
    "are those of an administrator with the right, and no others: %s %s",
    ([method, path, acl, body]) =>
      Effect.gen(function*() {
        const { token } = yield* Fixtures.bot
        for (const credentials of [{}, { admin: token }, { bot: token }]) {
          const response = yield* send(path, { method, ...(body !== undefined && { body: "{" }), ...credentials })
          expectError(response, 401, "UNAUTHORIZED")
          expect(response.headers["www-authenticate"]).toBe("Admin")
        }
        const { token: admin } = yield* Fixtures.adminKey(...ACLS.filter((other) => other !== acl))
        const refused = yield* send(path, { method, admin, ...(body !== undefined && { body }) })
        expectError(refused, 403, "MISSING_ACL")
      })
  )

  it.effect.each(OF_WEBHOOKS)(
    "are those of the webhook in the path, before the body is read: %s %s",
    ([method, rest]) =>
      Effect.gen(function*() {
        const { webhook } = yield* Fixtures.webhook
        const { token } = yield* Fixtures.webhook
        const to = (id: string, presented: string) =>
          send(`/v1/webhooks/${id}/${presented}${rest}`, { method, body: "{" })
        for (const presented of [Redacted.value(token), "x", "a%20b", "%00", "x".repeat(3_000)]) {
          expectError(yield* to(webhook.id, presented), 403, "ACCESS_DENIED")
        }
        expectError(yield* to("1", Redacted.value(token)), 404, "UNKNOWN_WEBHOOK")
        expectViolations(yield* to("x", "y"), "webhook_id: INVALID_SNOWFLAKE_FORMAT")
      })
  )

  it.effect.each(["Bot ", "bot ", "BOT    "])(
    "may have the scheme in any case, and several spaces: %j",
    (scheme) =>
      Effect.gen(function*() {
        const { token } = yield* Fixtures.bot
        expect((yield* list(`${scheme}${Redacted.value(token)}`)).status).toBe(200)
      })
  )

  it.effect.each(["", "Bot", "Bearer token", "token", "Bot not-a-token", "a Bot token", "Bot token b"])(
    "are a scheme and a token, and nothing else: not %j",
    (authorization) =>
      Effect.gen(function*() {
        const { token } = yield* Fixtures.bot
        expectError(yield* list(authorization.replace(/\btoken\b/, Redacted.value(token))), 401, "UNAUTHORIZED")
      })
  )

  it.effect("do not work while the account is scheduled for deletion", () =>
    Effect.gen(function*() {
      const { token } = yield* Fixtures.botInDeletion
      expectError(yield* send(LIST, { bot: token }), 403, "ACCOUNT_SCHEDULED_FOR_DELETION")
    }))
})

const outOfReach = Effect.fail(new StorageError({ operation: "find" }))

/** A storage in memory that finds neither credentials nor webhooks. */
const withoutCallers = Layer.merge(
  StorageMemory.layer,
  Layer.effectContext(Effect.gen(function*() {
    const credentials = yield* CredentialRepository
    const webhooks = yield* WebhookRepository
    return Context.empty().pipe(
      Context.add(CredentialRepository, {
        ...credentials,
        findByDigest: () => outOfReach,
        findBotToken: () => outOfReach
      }),
      Context.add(WebhookRepository, { ...webhooks, find: () => outOfReach })
    )
  })).pipe(Layer.provide(StorageMemory.layer))
)

layer(testServer({ storage: withoutCallers }), { excludeTestServices: true })(
  "A storage that is unavailable during authentication",
  (it) => {
    it.effect("causes 503, not the error of an unknown caller", () =>
      Effect.gen(function*() {
        const { token: bot } = yield* Fixtures.bot
        const { token: admin } = yield* Fixtures.adminKey("*")
        expectError(yield* send(LIST, { bot }), 503, "SERVICE_UNAVAILABLE")
        expectError(yield* send("/v1/admin/audit-log", { admin }), 503, "SERVICE_UNAVAILABLE")
        expectError(yield* send("/v1/webhooks/1/token", { method: "PATCH", body: {} }), 503, "SERVICE_UNAVAILABLE")
      }))
  }
)
