import { WebhookId } from "@community-messaging/domain/shared-kernel/WebhookId"
import * as CodeHostEvent from "@community-messaging/domain/webhook/code-host/CodeHostEvent"
import type { Delivery, Ignored, NotPosted } from "@community-messaging/domain/webhook/Delivery"
import * as ErrorTrackerEmbed from "@community-messaging/domain/webhook/error-tracker/ErrorTrackerEmbed"
import { Webhooks } from "@community-messaging/domain/webhook/Webhooks"
import * as MessageResource from "@community-messaging/http-adapter/operations/MessageResource"
import { CodeHostBody, ErrorTrackerBody, UpdateWebhookBody } from "@community-messaging/http-adapter/webhooks/Api"
import { toChange } from "@community-messaging/http-adapter/webhooks/AvatarDataUri"
import * as WebhookResource from "@community-messaging/http-adapter/webhooks/WebhookResource"
import { Effect, Either, Option, Redacted, Schema } from "effect"
import { operation } from "./InvalidInput.ts"
import { optional } from "./OptionalField.ts"

/* The operations of callers that have the token of a webhook. */

/** The result of a notification: its message, or the reason why there is none. */
export type NotificationResult =
  | { readonly posted: true; readonly message: MessageResource.MessageResource }
  | { readonly posted: false; readonly reason: "no message" | Exclude<NotPosted, Ignored> }

const access = { webhook_id: WebhookId, token: Schema.String }

const authenticated = ({ token, webhook_id: id }: { readonly webhook_id: WebhookId; readonly token: string }) =>
  Effect.flatMap(Webhooks, ({ authenticate }) => authenticate(id, Redacted.make(token)))

/** Posts the delivery to the webhook. Returns the message, or the reason why nothing is posted. */
const post = Effect.fnUntraced(function*(caller: Parameters<typeof authenticated>[0], delivery: Delivery) {
  const webhook = yield* authenticated(caller)
  return Either.match(yield* (yield* Webhooks).post(webhook, delivery), {
    onLeft: (reason): NotificationResult => ({
      posted: false,
      reason: reason === "event ignored" || reason === "action ignored" ? "no message" : reason
    }),
    onRight: (message): NotificationResult => ({ posted: true, message: MessageResource.fromEntity(message) })
  })
})

const delivered = { event: optional(Schema.String), delivery_id: optional(Schema.String) }

/** Turns a code host's notification into a message. `event` and `delivery_id` are those of the host's headers. */
export const executeCodeHostWebhook = operation(
  Schema.Struct({ ...access, ...delivered, notification: CodeHostBody }),
  ({ delivery_id: deliveryId, event, notification, ...caller }) =>
    post(caller, CodeHostEvent.delivery({ deliveryId, event }, notification))
)

/** Turns an error tracker's notification into a message. `event` and `delivery_id` are those of its headers. */
export const executeErrorTrackerWebhook = operation(
  Schema.Struct({ ...access, ...delivered, notification: ErrorTrackerBody }),
  ({ delivery_id: deliveryId, event, notification, ...caller }) =>
    post(caller, ErrorTrackerEmbed.delivery({ deliveryId, event }, notification))
)

/** Changes the name and the avatar of a webhook. `avatar` is a data URI in base64; null removes it. */
export const updateWebhook = operation(
  Schema.Struct({ ...UpdateWebhookBody.fields, ...access }),
  Effect.fnUntraced(function*({ avatar, name, ...caller }) {
    const webhook = yield* authenticated(caller)
    const change = { name: Option.fromNullable(name), avatar: toChange(avatar) }
    return WebhookResource.fromEntity(yield* (yield* Webhooks).update(webhook, change), caller.token)
  })
)
