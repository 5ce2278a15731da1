import * as FourCharacterCode from "./FourCharacterCode.ts"

const HEADER_LENGTH = 12
const CHUNK_HEADER_LENGTH = 8
const CHUNK_SIZE_OFFSET = 4
const FRAME = FourCharacterCode.of("ANMF")

/**
 * Returns the number of animation frames of a WebP. libvips looks at all frames even to read the header, and the time
 * grows with their square. Source: WebP container specification, RIFF file format and Animation.
 */
export const frameCount = (bytes: Uint8Array): number => {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  let frames = 0
  let offset = HEADER_LENGTH
  while (offset + CHUNK_HEADER_LENGTH <= bytes.length) {
    if (view.getUint32(offset) === FRAME) frames += 1
    const size = view.getUint32(offset + CHUNK_SIZE_OFFSET, true)
    // A chunk of odd size is followed by a padding byte.
    offset += CHUNK_HEADER_LENGTH + size + size % 2
  }
  return frames
}
