import { Context, type Effect } from "effect"
import type { ImageDescription, InvalidAvatarImage } from "./Avatar.ts"

/** Port: detects the type of an image from its bytes. */
export class ImageInspector extends Context.Tag("@community-messaging/domain/ImageInspector")<ImageInspector, {
  /** Returns the type of the image. Fails if the bytes are not a readable image of a supported type. */
  readonly inspect: (bytes: Uint8Array) => Effect.Effect<ImageDescription, InvalidAvatarImage>
}>() {}
