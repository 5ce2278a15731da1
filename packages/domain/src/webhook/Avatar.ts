import { Schema } from "effect"

/** The image types that an avatar can have (API gaps, Notifications and webhooks). */
export const AvatarContentType = Schema.Literal("image/png", "image/jpeg", "image/gif", "image/webp", "image/avif")
export type AvatarContentType = typeof AvatarContentType.Type

/** The maximum size of a decoded avatar in bytes. */
export const MAX_AVATAR_BYTES = 10 * 1024 * 1024

/**
 * The maximum width and height of an avatar in pixels. Larger images cannot be shown on some clients: 4096 is the largest
 * texture and canvas that all mobile clients support.
 */
export const MAX_AVATAR_SIDE = 4096

/** An AVIF has at most as many pixels as a square of this side: its decoder needs 20 to 25 bytes per pixel, others at most 8. */
export const MAX_AVIF_SIDE = 2048

/** The maximum number of frames of an animated avatar: over a minute at 30 frames per second. */
export const MAX_AVATAR_FRAMES = 2000

/** The hash of an avatar: 32 hexadecimal digits of the SHA-256 of its bytes, with the prefix `a_` if it is animated. */
export const AvatarHash = Schema.String.pipe(Schema.pattern(/^(a_)?[0-9a-f]{32}$/), Schema.brand("AvatarHash"))
export type AvatarHash = typeof AvatarHash.Type

/** The type of an image, detected from its content. */
export const ImageDescription = Schema.Struct({ contentType: AvatarContentType, animated: Schema.Boolean })
export interface ImageDescription extends Schema.Schema.Type<typeof ImageDescription> {}

/** An avatar with its bytes, identified by its hash. */
export const Avatar = Schema.Struct({
  ...ImageDescription.fields,
  hash: AvatarHash,
  bytes: Schema.Uint8ArrayFromSelf
}).annotations({ identifier: "Avatar" })
export interface Avatar extends Schema.Schema.Type<typeof Avatar> {}

/** The bytes are not a readable image of a supported type and size, or are more than `MAX_AVATAR_BYTES`. */
export class InvalidAvatarImage extends Schema.TaggedError<InvalidAvatarImage>()("InvalidAvatarImage", {}) {
  override get message(): string {
    return "The avatar is not a readable PNG, JPEG, GIF, WebP or AVIF image of a supported size."
  }
}

const digitsOf = (sha256Hex: string): string => sha256Hex.slice(0, 32)

/** Returns the hash of an image from the hexadecimal SHA-256 of its bytes. */
export const hash = (sha256Hex: string, image: ImageDescription): AvatarHash =>
  AvatarHash.make(`${image.animated ? "a_" : ""}${digitsOf(sha256Hex)}`)

/** Returns whether an avatar has the hash, from the hexadecimal SHA-256 of its bytes. */
export const hasHash = (sha256Hex: string, avatar: AvatarHash): boolean => avatar.endsWith(digitsOf(sha256Hex))
