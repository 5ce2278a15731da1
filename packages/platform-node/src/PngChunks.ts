import * as FourCharacterCode from "./FourCharacterCode.ts"

const SIGNATURE_LENGTH = 8
const CHUNK_HEADER_LENGTH = 8
const CHECKSUM_LENGTH = 4

const ANIMATION = FourCharacterCode.of("acTL")
const FRAME = FourCharacterCode.of("fcTL")
const DATA = FourCharacterCode.of("IDAT")
const END = FourCharacterCode.of("IEND")

/** Returns the types of the chunks in order. Source: PNG specification, third edition, 5.3. */
function* chunkTypes(bytes: Uint8Array): Generator<number> {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  let offset = SIGNATURE_LENGTH
  while (offset + CHUNK_HEADER_LENGTH <= bytes.length) {
    yield view.getUint32(offset + 4)
    offset += CHUNK_HEADER_LENGTH + view.getUint32(offset) + CHECKSUM_LENGTH
  }
}

/**
 * Returns the number of animation frames of a PNG; undefined if its chunks do not reach the end of the image. libvips
 * decodes the first frame only. Source: PNG specification, third edition, 11.3.6.
 */
export const frameCount = (bytes: Uint8Array): number | undefined => {
  let frames = 0
  for (const type of chunkTypes(bytes)) {
    if (type === END) return frames
    if (type === FRAME) frames += 1
  }
  return undefined
}

/** Whether a PNG declares an animation before its data. Source: PNG specification, third edition, 11.3.6.1. */
const declaresAnimation = (bytes: Uint8Array): boolean => {
  for (const type of chunkTypes(bytes)) {
    if (type === ANIMATION) return true
    if (type === DATA) return false
  }
  return false
}

/** Returns whether a PNG is an animation of several frames. */
export const isAnimated = (bytes: Uint8Array): boolean => declaresAnimation(bytes) && (frameCount(bytes) ?? 0) > 1
