import { Context, type Effect } from "effect"
import type { ImageDescription, InvalidAvatarImage } from "./Avatar.ts"

/** Port: tells what an image is by looking at its bytes. */
export class ImageInspector extends Context.Tag("@community-messaging/domain/ImageInspector")<ImageInspector, {
  /** What the bytes are; fails where they are no readable image of a known kind. */
  readonly inspect: (bytes: Uint8Array) => Effect.Effect<ImageDescription, InvalidAvatarImage>
}>() {}
