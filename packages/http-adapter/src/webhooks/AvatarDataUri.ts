import {
  MAX_AVATAR_BYTES,
  MAX_AVATAR_FRAMES,
  MAX_AVATAR_SIDE,
  MAX_AVIF_SIDE
} from "@community-messaging/domain/webhook/Avatar"
import { Option, Schema } from "effect"
import { MEBIBYTE } from "../wire/RequestBody.ts"
import type { Violation } from "../wire/Violation.ts"

/** Identifies the refinement that requires a data URI in base64. */
export const DataUriSchemaId: unique symbol = Symbol.for("@community-messaging/http-adapter/DataUri")

/** Identifies the refinement that limits the bytes of a data URI. */
export const DataUriSizeSchemaId: unique symbol = Symbol.for("@community-messaging/http-adapter/DataUriSize")

const MAX_SIZE_IN_WORDS = `at most ${MAX_AVATAR_BYTES / MEBIBYTE} MiB`

/** The images that are accepted. `ImageInspector` checks them. */
const AVATAR_IMAGE_IN_WORDS =
  `a PNG, JPEG, GIF, WebP or AVIF image of ${MAX_SIZE_IN_WORDS}, ${MAX_AVATAR_SIDE} pixels wide and high, ` +
  `${MAX_AVIF_SIDE} × ${MAX_AVIF_SIDE} pixels as AVIF, and ${MAX_AVATAR_FRAMES} frames`

/** The avatar is not an image of a supported type. */
export const INVALID_AVATAR_IMAGE: Violation = {
  path: "avatar",
  message: `must be ${AVATAR_IMAGE_IN_WORDS}`,
  code: "INVALID_IMAGE_FORMAT"
}

const HEAD = "^[Dd][Aa][Tt][Aa]:[^,]{0,255};[Bb][Aa][Ss][Ee]64,"

const headForm = new RegExp(HEAD, "u")

const base64Of = (dataUri: string): string => dataUri.slice(dataUri.indexOf(",") + 1)

const decodedLength = (base64: string): number =>
  base64.length / 4 * 3 - (base64.endsWith("==") ? 2 : base64.endsWith("=") ? 1 : 0)

/**
 * RFC 4648, 4: complete groups of four, padded, no other characters. Decoding ignores all other characters in ASCII but
 * those of the alphabet for URLs, so that the result is too short if there are any. A regular expression takes six times
 * as long, and blocks all other requests meanwhile.
 */
const isBase64 = (text: string): boolean =>
  text.length % 4 === 0 && !text.includes("-") && !text.includes("_") && Buffer.byteLength(text) === text.length &&
  Buffer.from(text, "base64").length === decodedLength(text)

/**
 * An image as a data URI (RFC 2397) in base64, at most 10 MiB decoded. Its media type is ignored: the content
 * determines the image type (API gaps, Notifications and webhooks).
 */
export const AvatarDataUri = Schema.String.pipe(
  Schema.filter((text) => headForm.test(text) && isBase64(base64Of(text)), {
    schemaId: DataUriSchemaId,
    message: () => "must be a base64 data URI of a PNG, JPEG, GIF, WebP or AVIF image"
  }),
  Schema.filter((text) => decodedLength(base64Of(text)) <= MAX_AVATAR_BYTES, {
    schemaId: DataUriSizeSchemaId,
    message: () => `must be an image of ${MAX_SIZE_IN_WORDS}`,
    jsonSchema: {
      type: "string",
      // Does not match groups of four, because validators run out of memory on millions of groups.
      pattern: `${HEAD}[A-Za-z0-9+/]*={0,2}$`,
      description: `A data URI (RFC 2397) in base64, such as \`data:image/png;base64,…\`, of ${AVATAR_IMAGE_IN_WORDS}.`
    }
  })
)

/** Decodes a valid data URI. */
export const bytesOf = (dataUri: string): Uint8Array => Buffer.from(base64Of(dataUri), "base64")

/** The avatar that this value of the field sets: none removes it, undefined leaves it unchanged. */
export const toChange = (avatar: string | null | undefined): Option.Option<Uint8Array> | undefined =>
  avatar === undefined ? undefined : Option.map(Option.fromNullable(avatar), bytesOf)
