import * as FourCharacterCode from "./FourCharacterCode.ts"
import { Remainder } from "./Remainder.ts"

const SIGNATURE_LENGTH = 8
const CHUNK_HEADER_LENGTH = 8
const CHECKSUM_LENGTH = 4

const ANIMATION = FourCharacterCode.of("acTL")
const FRAME = FourCharacterCode.of("fcTL")
const DATA = FourCharacterCode.of("IDAT")
const END = FourCharacterCode.of("IEND")

/** The chunks that a decoder needs once, besides the data. It warns of each repetition, which takes time and memory. */
const ONCE = new Set(["IHDR", "PLTE", "tRNS"].map(FourCharacterCode.of))

/** The picture of a PNG. */
export interface Picture {
  /** The file without metadata, and without the frames of an animation, which libvips does not decode. */
  readonly bytes: Uint8Array
  /** The number of frames of an animation. */
  readonly frames: number
  /** Whether an animation is declared before the data (11.3.6.1). */
  readonly isAnimation: boolean
}

/**
 * Returns the picture of a PNG without its metadata, whose compressed texts can take gigabytes. Returns undefined if the chunks
 * do not reach the end of the image, or if one is repeated. Source: PNG specification, third edition, 5.3 and 11.3.6.
 */
export const picture = (bytes: Uint8Array): Picture | undefined => {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const remainder = new Remainder(bytes)
  const seen = new Set<number>()
  let frames = 0
  let isAnimation = false
  let hasData = false
  for (let offset = SIGNATURE_LENGTH; offset + CHUNK_HEADER_LENGTH <= bytes.length;) {
    const type = view.getUint32(offset + 4)
    const end = offset + CHUNK_HEADER_LENGTH + view.getUint32(offset) + CHECKSUM_LENGTH
    if (ONCE.has(type)) {
      if (seen.has(type)) return undefined
      seen.add(type)
    } else if (type !== DATA && type !== END) remainder.skip(offset, end)
    if (type === FRAME) frames += 1
    if (type === ANIMATION && !hasData) isAnimation = true
    if (type === DATA) hasData = true
    if (type === END) return { bytes: remainder.until(end), frames, isAnimation }
    offset = end
  }
  return undefined
}
