import { type AuthenticatedBot, Authentication } from "@community-messaging/domain/access/Authentication"
import type { AdminKey } from "@community-messaging/domain/access/Credential"
import { isSnowflake } from "@community-messaging/domain/shared-kernel/Snowflake"
import { WebhookId } from "@community-messaging/domain/shared-kernel/WebhookId"
import type { Webhook } from "@community-messaging/domain/webhook/Webhook"
import { Webhooks } from "@community-messaging/domain/webhook/Webhooks"
import * as ApiError from "@community-messaging/http-adapter/wire/ApiError"
import { Effect, Redacted } from "effect"
import { type Refused, refused } from "./Refused.ts"

const UNAVAILABLE = refused(new ApiError.ServiceUnavailable())

const INVALID_WEBHOOK_ID = refused(
  new ApiError.InvalidFormBody({
    errors: [{ path: "webhook_id", message: "must be a snowflake", code: "INVALID_SNOWFLAKE_FORMAT" }]
  })
)

const tokenOf = (authorization: string | undefined, scheme: "bot" | "admin"): Redacted.Redacted | undefined => {
  const match = /^([^\s]+) +([^\s]+) *$/.exec(authorization ?? "")
  const token = match?.[2]
  return token !== undefined && match?.[1]?.toLowerCase() === scheme ? Redacted.make(token) : undefined
}

const unauthorized = (scheme: "Bot" | "Admin") =>
  Effect.fail(refused(new ApiError.Unauthorized(), { "www-authenticate": scheme }))

/** Authenticates requests, with the same use cases as ours. */
export const make = Effect.gen(function*() {
  const authentication = yield* Authentication
  const webhooks = yield* Webhooks

  return {
    /** The bot of the `Authorization` header. */
    bot: (authorization: string | undefined): Effect.Effect<AuthenticatedBot, Refused> => {
      const token = tokenOf(authorization, "bot")
      return token === undefined ? unauthorized("Bot") : authentication.bot(token).pipe(
        Effect.catchTags({
          StorageError: () => Effect.fail(UNAVAILABLE),
          InvalidCredentials: () => unauthorized("Bot"),
          AccountScheduledForDeletion: () => Effect.fail(refused(new ApiError.AccountScheduledForDeletion()))
        })
      )
    },
    /** The admin key of the `Authorization` header. */
    admin: (authorization: string | undefined): Effect.Effect<AdminKey, Refused> => {
      const token = tokenOf(authorization, "admin")
      return token === undefined ? unauthorized("Admin") : authentication.admin(token).pipe(
        Effect.catchTags({
          StorageError: () => Effect.fail(UNAVAILABLE),
          InvalidCredentials: () => unauthorized("Admin")
        })
      )
    },
    /** The webhook of the path. */
    webhook: (webhookId: string, token: string): Effect.Effect<Webhook, Refused> =>
      isSnowflake(webhookId)
        ? webhooks.authenticate(WebhookId.make(webhookId), Redacted.make(token)).pipe(
          Effect.catchTags({
            StorageError: () => Effect.fail(UNAVAILABLE),
            UnknownWebhook: () => Effect.fail(refused(new ApiError.UnknownWebhook())),
            WebhookTokenMismatch: () => Effect.fail(refused(new ApiError.AccessDenied()))
          })
        )
        : Effect.fail(INVALID_WEBHOOK_ID)
  }
})
