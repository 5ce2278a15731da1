import { ImageInspector } from "@community-messaging/domain/webhook/ImageInspector"
import { Effect, Schema } from "effect"
import type { ContentCheck } from "../server/Routes.ts"
import type { Violation } from "../wire/Violation.ts"
import { AvatarDataUri, bytesOf } from "./AvatarDataUri.ts"

/** The avatar is not an image of a supported type. */
export const INVALID_AVATAR_IMAGE: Violation = {
  path: "avatar",
  message: "must be a PNG, JPEG, GIF, WebP or AVIF image",
  code: "INVALID_IMAGE_FORMAT"
}

const hasAvatar = Schema.is(Schema.Struct({ avatar: AvatarDataUri }))

/**
 * Checks the content of the avatar in an update that violates its schema, so that all violations are reported at once.
 * The use case checks the avatar of a valid update.
 */
export const make: Effect.Effect<ContentCheck, never, ImageInspector> = Effect.map(
  ImageInspector,
  (images): ContentCheck => (body) =>
    hasAvatar(body)
      ? Effect.match(images.inspect(bytesOf(body.avatar)), {
        onFailure: () => [INVALID_AVATAR_IMAGE],
        onSuccess: () => []
      })
      : Effect.succeed([])
)
