import { Schema } from "effect"

/** The kinds of image that an avatar may be (API gaps, Notifications and webhooks). */
export const AvatarContentType = Schema.Literal("image/png", "image/jpeg", "image/gif", "image/webp", "image/avif")
export type AvatarContentType = typeof AvatarContentType.Type

/** The most bytes of an avatar, decoded. */
export const MAX_AVATAR_BYTES = 10 * 1024 * 1024

/** Names an avatar's bytes: 32 hexadecimal digits of their SHA-256, `a_` in front when the image moves. */
export const AvatarHash = Schema.String.pipe(Schema.pattern(/^(a_)?[0-9a-f]{32}$/), Schema.brand("AvatarHash"))
export type AvatarHash = typeof AvatarHash.Type

/** What an image is, by its content. */
export const ImageDescription = Schema.Struct({ contentType: AvatarContentType, animated: Schema.Boolean })
export interface ImageDescription extends Schema.Schema.Type<typeof ImageDescription> {}

/** An avatar with its bytes, found by its hash. */
export const Avatar = Schema.Struct({
  ...ImageDescription.fields,
  hash: AvatarHash,
  bytes: Schema.Uint8ArrayFromSelf
}).annotations({ identifier: "Avatar" })
export interface Avatar extends Schema.Schema.Type<typeof Avatar> {}

/** The bytes are no image of a known kind. */
export class InvalidAvatarImage extends Schema.TaggedError<InvalidAvatarImage>()("InvalidAvatarImage", {}) {}

/** The image has more bytes than `MAX_AVATAR_BYTES`. */
export class AvatarTooLarge extends Schema.TaggedError<AvatarTooLarge>()("AvatarTooLarge", { bytes: Schema.Int }) {}

/** The hash of an image, from the hexadecimal SHA-256 of its bytes. */
export const hash = (sha256Hex: string, image: ImageDescription): AvatarHash =>
  AvatarHash.make(`${image.animated ? "a_" : ""}${sha256Hex.slice(0, 32)}`)
