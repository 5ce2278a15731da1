import type { AuthenticatedBot } from "@community-messaging/domain/access/Authentication"
import type { AdminKey } from "@community-messaging/domain/access/Credential"
import type { Webhook } from "@community-messaging/domain/webhook/Webhook"
import * as HttpApiMiddleware from "@effect/platform/HttpApiMiddleware"
import * as HttpApiSecurity from "@effect/platform/HttpApiSecurity"
import * as OpenApi from "@effect/platform/OpenApi"
import { Context, type Redacted, Schema } from "effect"
import {
  AccessDenied,
  AccountScheduledForDeletion,
  InvalidFormBody,
  RateLimited,
  ServiceUnavailable,
  Unauthorized,
  UnknownWebhook
} from "./ApiError.ts"

const authorization = (description: string) =>
  HttpApiSecurity.apiKey({ key: "Authorization", in: "header" }).pipe(
    HttpApiSecurity.annotate(OpenApi.Description, description)
  )

/** The bot account that makes the request: "the current user". */
export class Caller extends Context.Tag("@community-messaging/http-adapter/Caller")<Caller, AuthenticatedBot>() {}

/** `Authorization: Bot <BOT_TOKEN>`. Source: API reference, Authentication. */
export class BotCredentials extends HttpApiMiddleware.Tag<BotCredentials>()(
  "@community-messaging/http-adapter/BotCredentials",
  {
    security: {
      BotToken: authorization(
        "`Bot <BOT_TOKEN>`: the token of a bot account, which is the current user. The operator of the server issues it."
      )
    },
    provides: Caller,
    failure: Schema.Union(Unauthorized, AccountScheduledForDeletion, RateLimited, ServiceUnavailable)
  }
) {}

/** The admin key that makes the request. */
export class CallingAdminKey
  extends Context.Tag("@community-messaging/http-adapter/CallingAdminKey")<CallingAdminKey, AdminKey>()
{}

/**
 * `Authorization: Admin <ADMIN_TOKEN>`, on paths that begin with `/admin/` only. Source: API reference, Authentication.
 */
export class AdminCredentials extends HttpApiMiddleware.Tag<AdminCredentials>()(
  "@community-messaging/http-adapter/AdminCredentials",
  {
    security: {
      AdminKey: authorization(
        "`Admin <ADMIN_TOKEN>`: an admin key, for paths beginning /admin/ only. The operator of the server issues it with the acls that it needs."
      )
    },
    provides: CallingAdminKey,
    failure: Schema.Union(Unauthorized, RateLimited, ServiceUnavailable)
  }
) {}

/** The webhook in the path, with the token in the path. */
export interface WebhookCaller {
  readonly webhook: Webhook
  readonly token: Redacted.Redacted
}

/** The authenticated webhook in the path. */
export class AddressedWebhook
  extends Context.Tag("@community-messaging/http-adapter/AddressedWebhook")<AddressedWebhook, WebhookCaller>()
{}

/** The webhook's token, a segment of the path. Source: API reference, Authentication. */
export class WebhookCredentials extends HttpApiMiddleware.Tag<WebhookCredentials>()(
  "@community-messaging/http-adapter/WebhookCredentials",
  {
    provides: AddressedWebhook,
    failure: Schema.Union(InvalidFormBody, AccessDenied, UnknownWebhook, RateLimited, ServiceUnavailable)
  }
) {}
