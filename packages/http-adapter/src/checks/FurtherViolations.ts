import { ImageInspector } from "@community-messaging/domain/webhook/ImageInspector"
import { Context, Effect, Layer, Schema } from "effect"
import { AvatarDataUri, bytesOf } from "../definition/AvatarDataUri.ts"
import type { Violation } from "../definition/Violation.ts"

const hasAvatar = Schema.is(Schema.Struct({ avatar: AvatarDataUri }))

/**
 * What else is wrong with a body that violates its schema, of those things that only a use case would find out. A body
 * that fits its schema goes to the use case, so these are looked for only to tell all violations at once.
 */
export class FurtherViolations extends Context.Tag("@community-messaging/http-adapter/FurtherViolations")<
  FurtherViolations,
  (operation: string, body: unknown) => Effect.Effect<ReadonlyArray<Violation>>
>() {
  static readonly layer = Layer.effect(
    FurtherViolations,
    Effect.map(ImageInspector, (images) => (operation, body) =>
      operation === "webhooks.update" && hasAvatar(body)
        ? Effect.match(images.inspect(bytesOf(body.avatar)), {
          onFailure: () => [INVALID_AVATAR_IMAGE],
          onSuccess: () => []
        })
        : Effect.succeed([]))
  )
}

/** The avatar is no image that the service knows. */
export const INVALID_AVATAR_IMAGE: Violation = {
  path: "avatar",
  message: "must be a PNG, JPEG, GIF, WebP or AVIF image",
  code: "INVALID_IMAGE_FORMAT"
}
