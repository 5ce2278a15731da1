const HEADER_LENGTH = 13
const EXTENSION = 0x21
const IMAGE = 0x2c
const TRAILER = 0x3b

/** Returns the length of a colour table in bytes, from the packed field that has its presence and size. */
const colourTableLength = (packed: number): number => packed & 0x80 ? 3 * 2 ** ((packed & 0x07) + 1) : 0

/** Returns the end of the data sub-blocks that start at `start`; undefined if the bytes end before. */
const skipSubBlocks = (bytes: Uint8Array, start: number): number | undefined => {
  let offset = start
  for (;;) {
    const length = bytes[offset]
    if (length === undefined) return undefined
    offset += 1 + length
    if (length === 0) return offset
  }
}

/**
 * Returns the longer side of the screen that a GIF claims, in pixels. Clients need memory for the screen, but libvips
 * reports the size of the frames if the screen is much larger. Source: GIF89a specification, 18.
 */
export const screenSide = (bytes: Uint8Array): number => {
  const little = (offset: number) => (bytes[offset] ?? 0) + 256 * (bytes[offset + 1] ?? 0)
  return Math.max(little(6), little(8))
}

/**
 * Returns the number of frames of a GIF; undefined if a block is incomplete. libvips decodes a truncated animation without
 * an error, so this check is needed. Source: GIF89a specification, 17 to 27.
 */
export const frameCount = (bytes: Uint8Array): number | undefined => {
  const screen = bytes[10]
  if (screen === undefined) return undefined
  let frames = 0
  let offset: number | undefined = HEADER_LENGTH + colourTableLength(screen)
  while (offset !== undefined) {
    const introducer = bytes[offset]
    if (introducer === EXTENSION) {
      offset = skipSubBlocks(bytes, offset + 2)
    } else if (introducer === IMAGE) {
      frames += 1
      const packed = bytes[offset + 9] ?? 0
      // The descriptor and its colour table are followed by the LZW code size (one byte) and the data.
      offset = skipSubBlocks(bytes, offset + 10 + colourTableLength(packed) + 1)
    } else if (introducer === 0) {
      // Browsers skip it.
      offset += 1
    } else {
      // Some programs write no trailer.
      return introducer === TRAILER || (introducer === undefined && frames > 0) ? frames : undefined
    }
  }
  return undefined
}
