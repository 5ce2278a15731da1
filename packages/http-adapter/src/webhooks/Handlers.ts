import * as CodeHostEvent from "@community-messaging/domain/webhook/code-host/CodeHostEvent"
import type { Delivery } from "@community-messaging/domain/webhook/Delivery"
import * as ErrorTrackerEmbed from "@community-messaging/domain/webhook/error-tracker/ErrorTrackerEmbed"
import type { Webhook } from "@community-messaging/domain/webhook/Webhook"
import { Webhooks } from "@community-messaging/domain/webhook/Webhooks"
import { Effect, Either, Option, Redacted } from "effect"
import type { Handlers } from "../server/Handlers.ts"
import { RateLimits } from "../server/rate-limits/RateLimits.ts"
import type { ErrorWithHeaders } from "../server/replies/ErrorMapping.ts"
import { AccessDenied, InvalidFormBody, ServiceUnavailable, UnknownWebhook } from "../wire/ApiError.ts"
import { MEBIBYTE } from "../wire/RequestBody.ts"
import type { WebhooksGroup } from "./Api.ts"
import { INVALID_AVATAR_IMAGE, toChange } from "./AvatarDataUri.ts"
import * as WebhookResource from "./WebhookResource.ts"

/** The errors if the webhook was removed, or its token replaced, after the request was authenticated. */
const closed = {
  UnknownWebhook: () => Effect.fail(new UnknownWebhook()),
  WebhookTokenMismatch: () => Effect.fail(new AccessDenied())
} as const

/** The errors if an update is refused. */
const refused = {
  ...closed,
  ImageInspectorBusy: () => Effect.fail(new ServiceUnavailable()),
  InvalidAvatarImage: () => Effect.fail(new InvalidFormBody({ errors: [INVALID_AVATAR_IMAGE] }))
} as const

type AvatarQuota = (webhook: Webhook, bytes: Uint8Array) => Effect.Effect<void, ErrorWithHeaders>

/** Makes the function that counts each MiB of a new avatar of the webhook before it is inspected (API gaps, Rate limits). */
export const makeAvatarQuota: Effect.Effect<AvatarQuota, never, RateLimits> = Effect.map(
  RateLimits,
  (limits): AvatarQuota => (webhook, bytes) =>
    Effect.asVoid(limits.count("webhook-avatar", `webhook:${webhook.id}`, Math.ceil(bytes.length / MEBIBYTE)))
)

/** Handles the operations on webhooks. */
export const make: Effect.Effect<Handlers<typeof WebhooksGroup>, never, RateLimits | Webhooks> = Effect.map(
  Effect.all([Webhooks, makeAvatarQuota]),
  ([webhooks, countAvatar]) => {
    /** Posts, or logs why nothing is posted. */
    const post = (webhook: Webhook, delivery: Delivery) =>
      Effect.flatMap(
        webhooks.post(webhook, delivery),
        Either.match({
          onRight: () => Effect.void,
          onLeft: (reason) =>
            Effect.annotateLogs(Effect.logInfo("Notification not posted"), { webhook_id: webhook.id, reason })
        })
      ).pipe(Effect.catchTags(closed))

    return {
      executeCodeHost: ({ caller, headers, payload }) =>
        post(
          caller.webhook,
          CodeHostEvent.delivery(
            { deliveryId: headers["x-github-delivery"], event: headers["x-github-event"] },
            payload
          )
        ),
      executeErrorTracker: ({ caller, headers, payload }) =>
        post(
          caller.webhook,
          ErrorTrackerEmbed.delivery(
            { deliveryId: headers["request-id"], event: headers["sentry-hook-resource"] },
            payload
          )
        ),
      update: ({ caller: { token, webhook }, payload }) => {
        const avatar = toChange(payload.avatar)
        const added = Option.filter(avatar ?? Option.none(), (bytes) => !webhooks.hasAvatar(webhook, bytes))
        return Effect.transposeMapOption(added, (bytes) => countAvatar(webhook, bytes)).pipe(
          Effect.zipRight(webhooks.update(webhook, { name: Option.fromNullable(payload.name), avatar })),
          Effect.map((updated) => WebhookResource.fromEntity(updated, Redacted.value(token))),
          Effect.catchTags(refused)
        )
      }
    }
  }
)
