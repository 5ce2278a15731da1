import * as FourCharacterCode from "./FourCharacterCode.ts"
import { Remainder } from "./Remainder.ts"

const SIGNATURE_LENGTH = 8
const CHUNK_HEADER_LENGTH = 8
const CHECKSUM_LENGTH = 4

const ANIMATION = FourCharacterCode.of("acTL")
const FRAME = FourCharacterCode.of("fcTL")
const DATA = FourCharacterCode.of("IDAT")
const END = FourCharacterCode.of("IEND")
const HEADER = FourCharacterCode.of("IHDR")

/** The chunks that a decoder needs. */
const PICTURE = new Set([HEADER, FourCharacterCode.of("PLTE"), FourCharacterCode.of("tRNS"), DATA, END])

/** The bit of a type that a decoder may skip if it does not know the type. Source: PNG specification, third edition, 5.4. */
const ANCILLARY = 0x20_00_00_00

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
 * Returns the picture of a PNG without its metadata, whose compressed texts can take gigabytes. Returns undefined if the
 * chunks do not reach the end of the image, or are not those of a PNG in their order. Source: PNG specification, third
 * edition, 5.3 and 11.3.6.
 */
export const picture = (bytes: Uint8Array): Picture | undefined => {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const remainder = new Remainder(bytes)
  const seen = new Set<number>()
  let previous: number | undefined
  let frames = 0
  let isAnimation = false
  for (let offset = SIGNATURE_LENGTH; offset + CHUNK_HEADER_LENGTH <= bytes.length;) {
    const type = view.getUint32(offset + 4)
    const end = offset + CHUNK_HEADER_LENGTH + view.getUint32(offset) + CHECKSUM_LENGTH
    if (end > bytes.length || (previous === undefined && type !== HEADER)) return undefined
    if (PICTURE.has(type)) {
      // The data may be in several chunks in a row. libpng warns of every other repetition, which takes time and memory.
      if (seen.has(type) && (type !== DATA || previous !== DATA)) return undefined
      seen.add(type)
    } else if ((type & ANCILLARY) !== 0) remainder.skip(offset, end)
    else return undefined
    if (type === FRAME) frames += 1
    if (type === ANIMATION && !seen.has(DATA)) isAnimation = true
    if (type === END) return { bytes: remainder.until(end), frames, isAnimation }
    previous = type
    offset = end
  }
  return undefined
}
