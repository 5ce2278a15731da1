/*
 * The data of an AV1 picture: units (OBUs) with a header and a size. Source: AV1 bitstream specification, 5.3.
 */

const FRAME_HEADER = 3
const FRAME = 6

const typeOf = (header: number): number => (header >>> 3) & 15

/** Returns a number of seven bits a byte, least first, and where it ends. An invalid one throws a `RangeError`. */
const leb128 = (bytes: Uint8Array, start: number): { readonly value: number; readonly end: number } => {
  let value = 0
  for (let index = 0; index < 8; index += 1) {
    const byte = bytes[start + index]
    if (byte === undefined) break
    value += (byte & 0x7f) * 2 ** (7 * index)
    if (byte < 0x80) return { value, end: start + index + 1 }
  }
  throw new RangeError("a unit has no valid size")
}

/** Returns the number of frames in the data of a picture. A decoder decodes all of them, and shows one. */
export const count = (bytes: Uint8Array): number => {
  let frames = 0
  let offset = 0
  while (offset < bytes.length) {
    const header = bytes[offset] ?? 0
    const [hasExtension, hasSize] = [(header & 4) !== 0, (header & 2) !== 0]
    const start = offset + (hasExtension ? 2 : 1)
    if (typeOf(header) === FRAME_HEADER || typeOf(header) === FRAME) frames += 1
    if (!hasSize) return frames
    const { end, value } = leb128(bytes, start)
    offset = end + value
  }
  return frames
}
