import { maxCodePoints } from "@community-messaging/domain/shared-kernel/CodePointLength"
import { WebhookId } from "@community-messaging/domain/shared-kernel/WebhookId"
import * as CodeHost from "@community-messaging/domain/webhook/code-host/Notification"
import * as ErrorTracker from "@community-messaging/domain/webhook/error-tracker/Notification"
import { listed } from "@community-messaging/domain/webhook/NotificationField"
import { WebhookNameFromText } from "@community-messaging/domain/webhook/Webhook"
import { counted, type Excerpt } from "@community-messaging/json-reader/Excerpt"
import * as HttpApiEndpoint from "@effect/platform/HttpApiEndpoint"
import * as HttpApiGroup from "@effect/platform/HttpApiGroup"
import * as HttpApiSchema from "@effect/platform/HttpApiSchema"
import * as OpenApi from "@effect/platform/OpenApi"
import { Schema } from "effect"
import { WebhookCredentials } from "../wire/Credentials.ts"
import { InvalidBody, MEBIBYTE } from "../wire/RequestBody.ts"
import { RequestRules } from "../wire/RequestRules.ts"
import { field, optional, snowflake } from "../wire/WireType.ts"
import { AvatarDataUri } from "./AvatarDataUri.ts"
import { WebhookResource } from "./WebhookResource.ts"

/** The size of the largest notification that the code host sends, in bytes. */
export const CODE_HOST_BODY_LIMIT = 25 * MEBIBYTE

/** The maximum size of a notification by the error tracker in bytes. Real ones are much smaller. */
const ERROR_TRACKER_BODY_LIMIT = MEBIBYTE

/** The maximum size of an update in bytes: an avatar of 10 MiB in base64, and some margin. */
export const UPDATE_BODY_LIMIT = 14 * MEBIBYTE

/**
 * The part of a notification that is kept: more than any message shows. A text has at most 65,536 characters at the code
 * host. A push may have thousands of commits, and a message shows ten and their number.
 */
const NOTIFICATION_EXCERPT: Excerpt = { text: 65_536, items: 100 }

/** The body of a code host's notification. Source: API reference, Execute code-hosting webhook. */
export const CodeHostBody = Schema.Struct({
  ...CodeHost.Notification.fields,
  commits: listed(counted(CodeHost.Commit), "The pushed commits. The first 100 are read.")
}).annotations({
  identifier: "CodeHostNotification",
  description: "A notification by the code host. Other fields are ignored."
})

/** The body of an error tracker's notification. Source: API reference, Execute error-tracking webhook. */
export const ErrorTrackerBody = ErrorTracker.Notification.annotations({
  identifier: "ErrorTrackerNotification",
  description: "A notification by the error tracker. Other fields are ignored."
})

const WebhookPath = Schema.Struct({
  webhook_id: field(snowflake(WebhookId), "The webhook."),
  token: field(Schema.String, "The webhook's secret token.")
})

/** The maximum length of a name before control characters and surrounding white space are removed. */
const MAX_NAME_TEXT_LENGTH = 1024

/**
 * The changes to a webhook. Missing fields keep their values. Source: API reference, Update webhook with token; API
 * gaps, Notifications and webhooks.
 */
export const UpdateWebhookBody = Schema.Struct({
  name: optional(
    Schema.compose(Schema.String.pipe(maxCodePoints(MAX_NAME_TEXT_LENGTH)), WebhookNameFromText).annotations({
      jsonSchema: { type: "string", minLength: 1, maxLength: MAX_NAME_TEXT_LENGTH }
    }),
    "The new name: 1 to 80 characters, after control characters and surrounding white space are removed."
  ),
  avatar: optional(Schema.NullOr(AvatarDataUri), "The new image; null removes it.")
}).annotations({
  identifier: "UpdateWebhook",
  description: "The changes to a webhook. Missing fields keep their values."
})
export interface UpdateWebhookBody extends Schema.Schema.Type<typeof UpdateWebhookBody> {}

/** The operations on webhooks, authenticated by the webhook's token. */
export const WebhooksGroup = HttpApiGroup.make("webhooks")
  .add(
    HttpApiEndpoint.post("executeCodeHost", "/webhooks/:webhook_id/:token/github")
      .setPath(WebhookPath)
      .setHeaders(Schema.Struct({
        "x-github-event": optional(Schema.String, "The kind of event; inferred when left out."),
        "x-github-delivery": optional(
          Schema.String,
          "The delivery's id: one seen in the last 24 hours posts nothing again."
        )
      }))
      .setPayload(CodeHostBody)
      .addSuccess(HttpApiSchema.NoContent.annotations({ description: "Accepted." }))
      .annotate(RequestRules, {
        bucket: "webhook-notification",
        bodyLimit: CODE_HOST_BODY_LIMIT,
        excerpt: NOTIFICATION_EXCERPT,
        formAdvice:
          "The notification came as a form: set the content type of the webhook to application/json in the repository's settings."
      })
      .annotate(OpenApi.Identifier, "executeCodeHostWebhook")
      .annotate(OpenApi.Summary, "Execute code-hosting webhook")
      .annotate(
        OpenApi.Description,
        "Accepts a notification of the code-hosting provider and posts a message about it. Events that make no message are accepted as well."
      )
  )
  .add(
    HttpApiEndpoint.post("executeErrorTracker", "/webhooks/:webhook_id/:token/sentry")
      .setPath(WebhookPath)
      .setHeaders(Schema.Struct({
        "sentry-hook-resource": optional(Schema.String, "What the notification is about; inferred when left out."),
        "request-id": optional(
          Schema.String,
          "The delivery's id: one seen in the last 24 hours posts nothing again."
        )
      }))
      .setPayload(ErrorTrackerBody)
      .addSuccess(HttpApiSchema.NoContent.annotations({ description: "Accepted." }))
      .annotate(RequestRules, {
        bucket: "webhook-notification",
        bodyLimit: ERROR_TRACKER_BODY_LIMIT,
        excerpt: NOTIFICATION_EXCERPT
      })
      .annotate(OpenApi.Identifier, "executeErrorTrackerWebhook")
      .annotate(OpenApi.Summary, "Execute error-tracking webhook")
      .annotate(
        OpenApi.Description,
        "Accepts a notification of the error-tracking provider and posts a message about it. Events that make no message are accepted as well."
      )
  )
  .add(
    HttpApiEndpoint.patch("update", "/webhooks/:webhook_id/:token")
      .setPath(WebhookPath)
      .setPayload(UpdateWebhookBody)
      .addSuccess(WebhookResource)
      .annotate(RequestRules, { bucket: "webhook-update", bodyLimit: UPDATE_BODY_LIMIT, isIdempotent: true })
      .annotate(OpenApi.Identifier, "updateWebhook")
      .annotate(OpenApi.Summary, "Update webhook with token")
      .annotate(OpenApi.Description, "Changes the name and the avatar of the webhook.")
  )
  .addError(InvalidBody)
  .middleware(WebhookCredentials)
  .annotate(OpenApi.Title, "Webhooks")
  .annotate(
    OpenApi.Description,
    "Operations of third parties that have the token of a webhook. It is a segment of the path: there is no `Authorization` header."
  )
