import {
  type AvatarContentType,
  type ImageDescription,
  InvalidAvatarImage
} from "@community-messaging/domain/webhook/Avatar"
import { ImageInspector } from "@community-messaging/domain/webhook/ImageInspector"
import { Effect, Layer } from "effect"
import { fileTypeFromBuffer } from "file-type"
import sharp, { type Metadata } from "sharp"
import * as GifBlocks from "./GifBlocks.ts"

/**
 * The maximum number of pixels of an image: enough for a camera of 50 megapixels, and a limit for decompression bombs.
 */
export const MAX_PIXELS = 8192 * 6144

/** The maximum time to decode one image, in seconds. */
const DECODE_SECONDS = 10

/**
 * The maximum number of images that are decoded at the same time: half of Node's thread pool, so that other work
 * continues.
 */
const CONCURRENT_DECODES = 2

/** The format that a signature indicates: the decoder's name for it, and its media type. */
interface Kind {
  readonly format: string
  readonly contentType: AvatarContentType
}

const PNG: Kind = { format: "png", contentType: "image/png" }
const GIF: Kind = { format: "gif", contentType: "image/gif" }
const AVIF: Kind = { format: "heif", contentType: "image/avif" }

/** Only these formats are decoded. The signature of an AVIF file may be that of the HEIF family. */
const KINDS: ReadonlyMap<string, Kind> = new Map([
  ["image/png", PNG],
  ["image/apng", PNG],
  ["image/jpeg", { format: "jpeg", contentType: "image/jpeg" }],
  ["image/gif", GIF],
  ["image/webp", { format: "webp", contentType: "image/webp" }],
  ["image/avif", AVIF],
  ["image/heif", AVIF],
  ["image/heif-sequence", AVIF]
])

const MAJOR_BRAND_OFFSET = 8
const MINOR_VERSION_OFFSET = 12

/** Returns whether the file type box of an ISO base media file has the brand (ISO/IEC 14496-12, 4.3). */
const hasBrand = (bytes: Uint8Array, brand: string): boolean => {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const end = Math.min(view.getUint32(0), bytes.length)
  for (let offset = MAJOR_BRAND_OFFSET; offset + 4 <= end; offset += 4) {
    if (offset !== MINOR_VERSION_OFFSET && String.fromCharCode(...bytes.subarray(offset, offset + 4)) === brand) {
      return true
    }
  }
  return false
}

/** Returns whether the image declares itself as AVIF, as a still image or as a sequence (AVIF specification, 6). */
const isAvif = (bytes: Uint8Array): boolean => hasBrand(bytes, "avif") || hasBrand(bytes, "avis")

/**
 * Returns the bytes in a form that the decoder accepts. libvips reads the still image of an AVIF sequence, but does not
 * recognize the file if the brand of the sequence comes first.
 */
const decodable = (bytes: Uint8Array, kind: Kind): Uint8Array => {
  if (kind !== AVIF) return bytes
  const still = Uint8Array.from(bytes)
  still.set(new TextEncoder().encode("avif"), MAJOR_BRAND_OFFSET)
  return still
}

const isAnimated = (bytes: Uint8Array, mime: string, { contentType }: Kind, metadata: Metadata): boolean => {
  switch (contentType) {
    case "image/png":
      return mime === "image/apng"
    case "image/jpeg":
      return false
    case "image/gif":
    case "image/webp":
      return (metadata.pages ?? 1) > 1
    case "image/avif":
      return hasBrand(bytes, "avis")
  }
}

/** Returns the type of the image; undefined if it is not a supported one. Rejects if the image cannot be decoded. */
const describe = async (bytes: Uint8Array): Promise<ImageDescription | undefined> => {
  const mime = (await fileTypeFromBuffer(bytes))?.mime ?? ""
  const kind = KINDS.get(mime)
  if (kind === undefined) return undefined
  if (kind === AVIF && !isAvif(bytes)) return undefined
  if (kind === GIF && !GifBlocks.isComplete(bytes)) return undefined
  const image = sharp(decodable(bytes, kind), { failOn: "error", limitInputPixels: MAX_PIXELS, sequentialRead: true })
  const metadata = await image.metadata()
  if (metadata.format !== kind.format) return undefined
  // Headers alone do not show whether the image is complete, so it is decoded.
  await image.resize(1, 1).timeout({ seconds: DECODE_SECONDS }).raw().toBuffer()
  return { contentType: kind.contentType, animated: isAnimated(bytes, mime, kind, metadata) }
}

/**
 * `ImageInspector` with file-type, which reads signatures, and sharp, which decodes with libvips outside the main
 * thread.
 */
export const layer: Layer.Layer<ImageInspector> = Layer.effect(
  ImageInspector,
  Effect.map(Effect.makeSemaphore(CONCURRENT_DECODES), (semaphore) => ({
    inspect: Effect.fn("ImageInspector.inspect")(
      function*(bytes) {
        const description = yield* Effect.tryPromise({
          try: () => describe(bytes),
          catch: () => new InvalidAvatarImage()
        })
        return description ?? (yield* new InvalidAvatarImage())
      },
      semaphore.withPermits(1)
    )
  }))
)
