import * as FourCharacterCode from "./FourCharacterCode.ts"

const HEADER_LENGTH = 12
const CHUNK_HEADER_LENGTH = 8
const CHUNK_SIZE_OFFSET = 4
const FRAME = FourCharacterCode.of("ANMF")

/** The length of the fields of a frame. The chunks of its picture follow. */
const FRAME_HEADER_LENGTH = 16

/** The maximum number of chunks. libwebp takes memory for each; a frame has three at most. */
const MAX_CHUNKS = 10_000

/**
 * Returns the number of animation frames of a WebP, also of those in frames, which libwebp finds; infinity if it has too
 * many chunks. libvips looks at all frames even to read the header, and the time grows with their square. Source: WebP
 * container specification, RIFF file format and Animation.
 */
export const frameCount = (bytes: Uint8Array): number => {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  let frames = 0
  let chunks = 0
  let offset = HEADER_LENGTH
  while (offset + CHUNK_HEADER_LENGTH <= bytes.length) {
    chunks += 1
    if (chunks > MAX_CHUNKS) return Infinity
    if (view.getUint32(offset) === FRAME) {
      frames += 1
      offset += CHUNK_HEADER_LENGTH + FRAME_HEADER_LENGTH
      continue
    }
    const size = view.getUint32(offset + CHUNK_SIZE_OFFSET, true)
    // A chunk of odd size is followed by a padding byte.
    offset += CHUNK_HEADER_LENGTH + size + size % 2
  }
  return frames
}
