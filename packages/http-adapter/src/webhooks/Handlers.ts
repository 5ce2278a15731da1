import type { Embed } from "@community-messaging/domain/message/Embed"
import * as CodeHostEmbed from "@community-messaging/domain/webhook/code-host/CodeHostEmbed"
import * as ErrorTrackerEmbed from "@community-messaging/domain/webhook/error-tracker/ErrorTrackerEmbed"
import type { Webhook } from "@community-messaging/domain/webhook/Webhook"
import { AvatarChange, Webhooks } from "@community-messaging/domain/webhook/Webhooks"
import { Effect, Option, Redacted } from "effect"
import { serviceUnavailable } from "../server/ErrorMapping.ts"
import type { Handlers } from "../server/Handlers.ts"
import type { RateLimits } from "../server/RateLimits.ts"
import { InvalidFormBody, UnknownWebhook } from "../wire/ApiError.ts"
import type { UpdateWebhookBody, WebhooksGroup } from "./Api.ts"
import { INVALID_AVATAR_IMAGE } from "./AvatarContentCheck.ts"
import { bytesOf } from "./AvatarDataUri.ts"
import * as AvatarQuota from "./AvatarQuota.ts"
import * as CodeHost from "./CodeHostBody.ts"
import * as ErrorTracker from "./ErrorTrackerBody.ts"
import * as WebhookResource from "./WebhookResource.ts"

/** Returns the value of a header; none if it is missing or empty. */
const nonEmptyHeader = (header: string | undefined): Option.Option<string> =>
  Option.filter(Option.fromNullable(header), (value) => value !== "")

const avatarChange = (avatar: UpdateWebhookBody["avatar"]): AvatarChange => {
  if (avatar === undefined) return AvatarChange.Keep()
  return avatar === null ? AvatarChange.Remove() : AvatarChange.Replace({ bytes: bytesOf(avatar) })
}

const AVATAR_TOO_LARGE = {
  path: "avatar",
  message: "must be an image of at most 10 MiB",
  code: "IMAGE_TOO_LARGE"
} as const

/** Handles the operations on webhooks. */
export const make: Effect.Effect<Handlers<typeof WebhooksGroup>, never, RateLimits | Webhooks> = Effect.map(
  Effect.all([Webhooks, AvatarQuota.make]),
  ([webhooks, countAvatar]) => {
    const post = (webhook: Webhook, deliveryId: string | undefined, embed: Option.Option<Embed>) =>
      Effect.asVoid(webhooks.post(webhook, { deliveryId: nonEmptyHeader(deliveryId), embed }))

    return {
      executeCodeHost: ({ caller, headers, payload }) =>
        post(
          caller.webhook,
          headers["x-github-delivery"],
          CodeHostEmbed.embed(nonEmptyHeader(headers["x-github-event"]), CodeHost.toNotification(payload))
        ),
      executeErrorTracker: ({ caller, headers, payload }) =>
        post(
          caller.webhook,
          headers["request-id"],
          ErrorTrackerEmbed.embed(nonEmptyHeader(headers["sentry-hook-resource"]), ErrorTracker.toNotification(payload))
        ),
      update: Effect.fnUntraced(
        function*({ caller: { webhook }, payload }) {
          const avatar = avatarChange(payload.avatar)
          if (AvatarChange.$is("Replace")(avatar)) yield* countAvatar(webhook, avatar.bytes)
          return yield* webhooks.update(webhook.id, { name: Option.fromNullable(payload.name), avatar })
        },
        (update, { caller: { token } }) =>
          update.pipe(
            Effect.map((updated) => WebhookResource.fromEntity(updated, Redacted.value(token))),
            Effect.catchTags({
              UnknownWebhook: () => Effect.fail(new UnknownWebhook()),
              ImageInspectorBusy: () => Effect.fail(serviceUnavailable),
              InvalidAvatarImage: () => Effect.fail(new InvalidFormBody({ errors: [INVALID_AVATAR_IMAGE] })),
              AvatarTooLarge: () => Effect.fail(new InvalidFormBody({ errors: [AVATAR_TOO_LARGE] }))
            })
          )
      )
    }
  }
)
