import { ImageInspector } from "@community-messaging/domain/webhook/ImageInspector"
import { Webhooks } from "@community-messaging/domain/webhook/Webhooks"
import { Effect, Schema } from "effect"
import type { RateLimits } from "../server/rate-limits/RateLimits.ts"
import type { ContentCheck } from "../server/Routes.ts"
import { ServiceUnavailable } from "../wire/ApiError.ts"
import type { WebhookCaller } from "../wire/Credentials.ts"
import { AvatarDataUri, bytesOf, INVALID_AVATAR_IMAGE } from "./AvatarDataUri.ts"
import { makeAvatarQuota } from "./Handlers.ts"

const setsAvatar = Schema.is(Schema.Struct({ avatar: AvatarDataUri }))

const isWebhookCaller = (caller: Parameters<ContentCheck>[1]): caller is WebhookCaller => "webhook" in caller

/**
 * Checks the content of the avatar in an update that violates its schema, so that all violations are reported at once.
 * The use case checks the avatar of a valid update.
 */
export const make: Effect.Effect<ContentCheck, never, ImageInspector | RateLimits | Webhooks> = Effect.map(
  Effect.all([ImageInspector, makeAvatarQuota, Webhooks]),
  ([images, countAvatar, webhooks]): ContentCheck => (body, caller) => {
    if (!setsAvatar(body) || !isWebhookCaller(caller)) return Effect.succeed([])
    const bytes = bytesOf(body.avatar)
    if (webhooks.hasAvatar(caller.webhook, bytes)) return Effect.succeed([])
    return Effect.zipRight(countAvatar(caller.webhook, bytes), images.inspect(bytes)).pipe(
      Effect.as([]),
      Effect.catchTags({
        InvalidAvatarImage: () => Effect.succeed([INVALID_AVATAR_IMAGE]),
        ImageInspectorBusy: () => Effect.fail(new ServiceUnavailable())
      })
    )
  }
)
