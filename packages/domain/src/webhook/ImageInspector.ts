import { Context, type Effect, Schema } from "effect"
import type { ImageDescription, InvalidAvatarImage } from "./Avatar.ts"

/** Too many images are being inspected. The caller can try again soon. */
export class ImageInspectorBusy extends Schema.TaggedError<ImageInspectorBusy>()("ImageInspectorBusy", {}) {
  override get message(): string {
    return "Too many images are inspected at the moment: try again later."
  }
}

/** Port: detects the type of an image from its bytes. */
export class ImageInspector extends Context.Tag("@community-messaging/domain/ImageInspector")<ImageInspector, {
  /**
   * Returns the type of the image. Fails if the bytes are not a readable image of a supported type, or if clients could
   * not show it because of its dimensions. The memory and the time of all inspections together are bounded.
   */
  readonly inspect: (bytes: Uint8Array) => Effect.Effect<ImageDescription, InvalidAvatarImage | ImageInspectorBusy>
}>() {}
