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

/** The most pixels of an image that is looked into: more than a camera of 50 megapixels takes, less than a bomb. */
export const MAX_PIXELS = 8192 * 6144

/** How long the decoding of one image may take, in seconds. */
const DECODE_SECONDS = 10

/** Images decoded at a time: half of the threads that Node has for this, so that others are not kept waiting. */
const CONCURRENT_DECODES = 2

/** What a signature promises: the name by which the decoder must know the image as well, and its type. */
interface Kind {
  readonly format: string
  readonly contentType: AvatarContentType
}

const PNG: Kind = { format: "png", contentType: "image/png" }
const GIF: Kind = { format: "gif", contentType: "image/gif" }
const AVIF: Kind = { format: "heif", contentType: "image/avif" }

/** Only these come near the decoder. An AVIF file may present itself by a brand of the HEIF family it belongs to. */
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

/** Whether the file type box of an ISO base media file names the brand (ISO/IEC 14496-12, 4.3). */
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

/** Whether the image says of itself that it is AV1: its still form, or its sequence (AVIF specification, 6). */
const isAvif = (bytes: Uint8Array): boolean => hasBrand(bytes, "avif") || hasBrand(bytes, "avis")

/**
 * The bytes as the decoder knows them. libvips reads the still picture that goes with an AVIF sequence, but does not
 * recognise the file where the sequence's brand stands first.
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

/** What the bytes are; undefined where they are nothing that may be an avatar. Rejects where they can not be decoded. */
const describe = async (bytes: Uint8Array): Promise<ImageDescription | undefined> => {
  const mime = (await fileTypeFromBuffer(bytes))?.mime ?? ""
  const kind = KINDS.get(mime)
  if (kind === undefined) return undefined
  if (kind === AVIF && !isAvif(bytes)) return undefined
  if (kind === GIF && !GifBlocks.isComplete(bytes)) return undefined
  const image = sharp(decodable(bytes, kind), { failOn: "error", limitInputPixels: MAX_PIXELS, sequentialRead: true })
  const metadata = await image.metadata()
  if (metadata.format !== kind.format) return undefined
  // The headers say little about the rest: only decoding tells whether all of the picture is there.
  await image.resize(1, 1).timeout({ seconds: DECODE_SECONDS }).raw().toBuffer()
  return { contentType: kind.contentType, animated: isAnimated(bytes, mime, kind, metadata) }
}

/** Images by file-type, which reads signatures, and sharp, which decodes them with libvips outside the main thread. */
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
