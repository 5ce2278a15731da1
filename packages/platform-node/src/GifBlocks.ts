const HEADER_LENGTH = 13
const EXTENSION = 0x21
const IMAGE = 0x2c
const TRAILER = 0x3b

/** The bytes of a colour table whose presence and size a packed field tells. */
const colourTableLength = (packed: number): number => packed & 0x80 ? 3 * 2 ** ((packed & 0x07) + 1) : 0

/** Where the chain of data sub-blocks that begins at `start` ends; none where the bytes end first. */
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
 * Whether the blocks of a GIF reach its trailer. libvips shows what there is of a film that was cut off, so this is what
 * tells. Source: GIF89a specification, 17 to 27.
 */
export const isComplete = (bytes: Uint8Array): boolean => {
  const screen = bytes[10]
  if (screen === undefined) return false
  let offset: number | undefined = HEADER_LENGTH + colourTableLength(screen)
  while (offset !== undefined) {
    const introducer = bytes[offset]
    if (introducer === EXTENSION) {
      offset = skipSubBlocks(bytes, offset + 2)
    } else if (introducer === IMAGE) {
      const packed = bytes[offset + 9] ?? 0
      // After the descriptor and its colour table stands the LZW code size, one byte, then the data.
      offset = skipSubBlocks(bytes, offset + 10 + colourTableLength(packed) + 1)
    } else {
      return introducer === TRAILER
    }
  }
  return false
}
