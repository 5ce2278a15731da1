import {
  type AvatarContentType,
  type ImageDescription,
  InvalidAvatarImage,
  MAX_AVATAR_FRAMES,
  MAX_AVATAR_SIDE,
  MAX_AVIF_SIDE
} from "@community-messaging/domain/webhook/Avatar"
import { ImageInspector } from "@community-messaging/domain/webhook/ImageInspector"
import { Effect, Layer } from "effect"
import sharp from "sharp"
import * as AvifItems from "./AvifItems.ts"
import * as DecoderQueue from "./DecoderQueue.ts"
import * as FourCharacterCode from "./FourCharacterCode.ts"
import * as GifBlocks from "./GifBlocks.ts"
import * as JpegSegments from "./JpegSegments.ts"
import * as PngChunks from "./PngChunks.ts"
import * as WebpChunks from "./WebpChunks.ts"

/** The maximum time to decode one image, in seconds. */
const DECODE_SECONDS = 10

/**
 * The maximum number of components in the scans of a JPEG, together. Encoders make some 14 of three colours and 24 of four.
 * In the largest picture, each takes up to 50 milliseconds.
 */
const MAX_PASSES = 30

/**
 * The maximum number of images that are decoded or wait. Together, usual ones take less time than the timeout of a request.
 */
const MAX_IMAGES = 8

/** The format that a signature indicates: the decoder's name for it, its media type, and its limit. */
interface Kind {
  readonly format: string
  readonly contentType: AvatarContentType
  readonly maxPixels: number
}

const MAX_PIXELS = MAX_AVATAR_SIDE ** 2

const MAX_AVIF_PIXELS = MAX_AVIF_SIDE ** 2

const PNG: Kind = { format: "png", contentType: "image/png", maxPixels: MAX_PIXELS }
const JPEG: Kind = { format: "jpeg", contentType: "image/jpeg", maxPixels: MAX_PIXELS }
const GIF: Kind = { format: "gif", contentType: "image/gif", maxPixels: MAX_PIXELS }
const WEBP: Kind = { format: "webp", contentType: "image/webp", maxPixels: MAX_PIXELS }
const AVIF: Kind = { format: "heif", contentType: "image/avif", maxPixels: MAX_AVIF_PIXELS }

const CODE = {
  png: 0x89_50_4e_47,
  jpeg: 0xff_d8_ff,
  gif: FourCharacterCode.of("GIF8"),
  riff: FourCharacterCode.of("RIFF"),
  webp: FourCharacterCode.of("WEBP"),
  fileType: FourCharacterCode.of("ftyp"),
  still: FourCharacterCode.of("avif"),
  sequence: FourCharacterCode.of("avis")
} as const

const MAJOR_BRAND_OFFSET = 8
const MINOR_VERSION_OFFSET = 12

/** The maximum size of the file type box in bytes: some 250 brands. */
const MAX_FILE_TYPE_BYTES = 1024

/** Returns the format by the beginning of the file; undefined if it is not a supported one. */
const kindOf = (bytes: Uint8Array): Kind | undefined => {
  if (bytes.length < MINOR_VERSION_OFFSET) return undefined
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const first = view.getUint32(0)
  if (first === CODE.png) return PNG
  if (first === CODE.gif) return GIF
  if (first === CODE.riff) return view.getUint32(MAJOR_BRAND_OFFSET) === CODE.webp ? WEBP : undefined
  if (first >>> 8 === CODE.jpeg) return JPEG
  return view.getUint32(4) === CODE.fileType ? AVIF : undefined
}

/** Returns whether the file type box of an ISO base media file has the brand (ISO/IEC 14496-12, 4.3). */
const hasBrand = (bytes: Uint8Array, brand: number): boolean => {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const end = Math.min(view.getUint32(0), bytes.length, MAX_FILE_TYPE_BYTES)
  for (let offset = MAJOR_BRAND_OFFSET; offset + 4 <= end; offset += 4) {
    if (offset !== MINOR_VERSION_OFFSET && view.getUint32(offset) === brand) return true
  }
  return false
}

/** Returns whether the image declares itself as AVIF, as a still image or as a sequence (AVIF specification, 6). */
const isAvif = (bytes: Uint8Array): boolean => hasBrand(bytes, CODE.still) || hasBrand(bytes, CODE.sequence)

/** A picture that can be decoded in time. */
interface Decodable {
  readonly bytes: Uint8Array
  /** Whether the file is an animation, which the decoder does not know of; undefined if it does. */
  readonly isAnimated?: boolean
}

/** Returns the picture for the decoder; undefined if the file is not complete, or its decoding could take too long. */
const decodable = (bytes: Uint8Array, kind: Kind): Decodable | undefined => {
  switch (kind) {
    case PNG: {
      const picture = PngChunks.picture(bytes)
      return picture === undefined || picture.frames > MAX_AVATAR_FRAMES
        ? undefined
        : { bytes: picture.bytes, isAnimated: picture.isAnimation && picture.frames > 1 }
    }
    case JPEG: {
      const picture = JpegSegments.picture(bytes)
      return picture === undefined || picture.passes > MAX_PASSES
        ? undefined
        : { bytes: picture.bytes, isAnimated: false }
    }
    case GIF:
      return (GifBlocks.frameCount(bytes) ?? Infinity) <= MAX_AVATAR_FRAMES &&
          GifBlocks.screenSide(bytes) <= MAX_AVATAR_SIDE
        ? { bytes }
        : undefined
    case WEBP:
      return WebpChunks.frameCount(bytes) <= MAX_AVATAR_FRAMES ? { bytes } : undefined
    case AVIF:
      return isAvif(bytes) && AvifItems.areWithin(bytes, MAX_AVIF_PIXELS)
        ? { bytes: AvifItems.stillImage(bytes), isAnimated: hasBrand(bytes, CODE.sequence) }
        : undefined
    default:
      return undefined
  }
}

/** Returns the type of the image; undefined if it is not a supported one. Rejects if the image cannot be decoded. */
const describe = async (bytes: Uint8Array): Promise<ImageDescription | undefined> => {
  const kind = kindOf(bytes)
  const picture = kind && decodable(bytes, kind)
  if (kind === undefined || picture === undefined) return undefined
  const options = { failOn: "error", limitInputPixels: kind.maxPixels, sequentialRead: true } as const
  const image = sharp(picture.bytes, options)
  const metadata = await image.metadata()
  if (metadata.format !== kind.format || metadata.width > MAX_AVATAR_SIDE || metadata.height > MAX_AVATAR_SIDE) {
    return undefined
  }
  // Headers alone do not show whether the image is complete, so it is decoded.
  await image.resize(1, 1).timeout({ seconds: DECODE_SECONDS }).raw().toBuffer()
  return { contentType: kind.contentType, animated: picture.isAnimated ?? (metadata.pages ?? 1) > 1 }
}

/**
 * `ImageInspector` with sharp, which decodes with libvips outside the main thread. One image is decoded at a time, on one
 * thread, and no part of it is cached.
 */
export const layer: Layer.Layer<ImageInspector> = Layer.sync(ImageInspector, () => {
  sharp.concurrency(1)
  sharp.cache(false)
  const queue = DecoderQueue.make(MAX_IMAGES)
  return {
    inspect: Effect.fn("ImageInspector.inspect")(function*(bytes: Uint8Array) {
      const description = yield* queue.run(
        Effect.tryPromise({ try: () => describe(bytes), catch: () => new InvalidAvatarImage() })
      )
      return description ?? (yield* new InvalidAvatarImage())
    })
  }
})
