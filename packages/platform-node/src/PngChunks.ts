const SIGNATURE_LENGTH = 8
const CHUNK_HEADER_LENGTH = 8
const CHECKSUM_LENGTH = 4

/**
 * Returns the number of animation frames of a PNG; undefined if its chunks do not reach the end of the image. libvips
 * decodes the first frame only. Source: PNG specification, third edition, 5.3 and 11.3.6.
 */
export const frameCount = (bytes: Uint8Array): number | undefined => {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  let frames = 0
  let offset = SIGNATURE_LENGTH
  while (offset + CHUNK_HEADER_LENGTH <= bytes.length) {
    const type = String.fromCharCode(...bytes.subarray(offset + 4, offset + CHUNK_HEADER_LENGTH))
    if (type === "IEND") return frames
    if (type === "fcTL") frames += 1
    offset += CHUNK_HEADER_LENGTH + view.getUint32(offset) + CHECKSUM_LENGTH
  }
  return undefined
}

const WIDTH_OFFSET = SIGNATURE_LENGTH + CHUNK_HEADER_LENGTH
const HEIGHT_OFFSET = WIDTH_OFFSET + 4

/**
 * Returns the longer side of a PNG in pixels, as its header declares it; undefined if it does not begin with a header.
 * Source: PNG specification, third edition, 11.2.1.
 */
export const longerSide = (bytes: Uint8Array): number | undefined => {
  if (bytes.length < HEIGHT_OFFSET + 4) return undefined
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const type = String.fromCharCode(...bytes.subarray(SIGNATURE_LENGTH + 4, WIDTH_OFFSET))
  return type === "IHDR" ? Math.max(view.getUint32(WIDTH_OFFSET), view.getUint32(HEIGHT_OFFSET)) : undefined
}
