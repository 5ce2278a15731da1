import type { Embed } from "@community-messaging/domain/message/Embed"
import * as CodeHostEmbed from "@community-messaging/domain/webhook/code-host/CodeHostEmbed"
import * as ErrorTrackerEmbed from "@community-messaging/domain/webhook/error-tracker/ErrorTrackerEmbed"
import type { Webhook } from "@community-messaging/domain/webhook/Webhook"
import { AvatarChange, Webhooks } from "@community-messaging/domain/webhook/Webhooks"
import { Effect, Option, Redacted } from "effect"
import { INVALID_AVATAR_IMAGE } from "../checks/FurtherViolations.ts"
import { available, Deadline } from "../Deadline.ts"
import { bytesOf } from "../definition/AvatarDataUri.ts"
import * as CodeHost from "../definition/CodeHostNotificationBody.ts"
import { AddressedWebhook } from "../definition/Credentials.ts"
import * as ErrorTracker from "../definition/ErrorTrackerNotificationBody.ts"
import * as WebhookResource from "../definition/WebhookResource.ts"
import type { UpdateWebhookBody } from "../definition/WebhooksGroup.ts"
import * as Refusal from "./Refusal.ts"
import type { Unhandled } from "./Unhandled.ts"

/** The value of a header; an empty one says nothing. */
const said = (header: string | undefined): Option.Option<string> =>
  Option.filter(Option.fromNullable(header), (value) => value !== "")

const avatarChange = (avatar: UpdateWebhookBody["avatar"]): AvatarChange => {
  if (avatar === undefined) return AvatarChange.Keep()
  return avatar === null ? AvatarChange.Remove() : AvatarChange.Replace({ bytes: bytesOf(avatar) })
}

/** Endpoints 6, 7 and 8. */
export const make = Effect.gen(function*() {
  const webhooks = yield* Webhooks
  const deadline = yield* Deadline

  const post = (webhook: Webhook, deliveryId: Option.Option<string>, embed: Option.Option<Embed>) =>
    available(webhooks.post(webhook.id, { deliveryId, embed }), deadline).pipe(
      Effect.asVoid,
      Effect.catchTag("UnknownWebhook", Refusal.unknownWebhook)
    )

  return {
    executeCodeHost: (
      webhook: Webhook,
      headers: { readonly "x-github-event"?: string; readonly "x-github-delivery"?: string },
      body: CodeHost.CodeHostNotificationBody
    ) =>
      post(
        webhook,
        said(headers["x-github-delivery"]),
        CodeHostEmbed.embed(said(headers["x-github-event"]), CodeHost.toNotification(body))
      ),
    executeErrorTracker: (
      webhook: Webhook,
      headers: { readonly "sentry-hook-resource"?: string; readonly "request-id"?: string },
      body: ErrorTracker.ErrorTrackerNotificationBody
    ) =>
      post(
        webhook,
        said(headers["request-id"]),
        ErrorTrackerEmbed.embed(said(headers["sentry-hook-resource"]), ErrorTracker.toNotification(body))
      ),
    update: (webhook: Webhook, token: Redacted.Redacted, body: UpdateWebhookBody) =>
      available(
        webhooks.update(webhook.id, { name: Option.fromNullable(body.name), avatar: avatarChange(body.avatar) }),
        deadline
      ).pipe(
        Effect.map((updated) => WebhookResource.fromEntity(updated, Redacted.value(token))),
        Effect.catchTags({
          UnknownWebhook: Refusal.unknownWebhook,
          InvalidAvatarImage: () => Refusal.invalid(INVALID_AVATAR_IMAGE),
          AvatarTooLarge: () =>
            Refusal.invalid({ path: "avatar", message: "must be an image of at most 10 MiB", code: "IMAGE_TOO_LARGE" })
        })
      )
  }
})

/** Answers the operations on webhooks. */
export const build = (handlers: Unhandled<"webhooks">) =>
  Effect.map(make, ({ executeCodeHost, executeErrorTracker, update }) =>
    handlers
      .handle(
        "executeCodeHost",
        ({ headers, payload }) =>
          Effect.flatMap(AddressedWebhook, ({ webhook }) => executeCodeHost(webhook, headers, payload))
      )
      .handle(
        "executeErrorTracker",
        ({ headers, payload }) =>
          Effect.flatMap(AddressedWebhook, ({ webhook }) => executeErrorTracker(webhook, headers, payload))
      )
      .handle(
        "update",
        ({ payload }) => Effect.flatMap(AddressedWebhook, ({ token, webhook }) => update(webhook, token, payload))
      ))
