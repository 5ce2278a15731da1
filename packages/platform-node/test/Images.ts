import sharp, { type Sharp } from "sharp"

const CRC_TABLE = Array.from({ length: 256 }, (_, index) => {
  let value = index
  for (let bit = 0; bit < 8; bit += 1) value = (value >>> 1) ^ (value & 1 ? 0xedb88320 : 0)
  return value >>> 0
})

const crc32 = (bytes: Uint8Array): number =>
  ~bytes.reduce((crc, byte) => (crc >>> 8) ^ (CRC_TABLE[(crc ^ byte) & 0xff] ?? 0), 0xffffffff) >>> 0

/** A picture that does not compress to nothing, of that many frames one below the other. */
export const picture = (width: number, height: number, frames = 1): Sharp => {
  const pixels = Uint8Array.from({ length: width * height * frames * 4 }, (_, index) => (index * 7919) % 251)
  return sharp(pixels, {
    raw: { width, height: height * frames, channels: 4, ...(frames > 1 && { pageHeight: height }) }
  })
}

/** A chunk as the PNG specification (5.3) describes it. */
const pngChunk = (type: string, data: Uint8Array): Buffer => {
  const body = Buffer.concat([Buffer.from(type, "latin1"), data])
  const chunk = Buffer.alloc(body.length + 8)
  chunk.writeUInt32BE(data.length, 0)
  body.copy(chunk, 4)
  chunk.writeUInt32BE(crc32(body), body.length + 4)
  return chunk
}

const PNG_HEADER_END = 8 + 25

/** The PNG with the chunks that make it an animation of one visible frame repeated (APNG specification, acTL and fcTL). */
export const animatedPng = (png: Buffer, width: number, height: number): Buffer => {
  const control = Buffer.alloc(8)
  control.writeUInt32BE(2, 0)
  const frame = (sequence: number): Buffer => {
    const data = Buffer.alloc(26)
    data.writeUInt32BE(sequence, 0)
    data.writeUInt32BE(width, 4)
    data.writeUInt32BE(height, 8)
    data.writeUInt16BE(1, 20)
    data.writeUInt16BE(10, 22)
    return pngChunk("fcTL", data)
  }
  return Buffer.concat([
    png.subarray(0, PNG_HEADER_END),
    pngChunk("acTL", control),
    frame(0),
    png.subarray(PNG_HEADER_END)
  ])
}

/** The AVIF image with the brand of an image sequence in front (AVIF specification, 6). */
export const avifSequence = (avif: Buffer): Buffer => {
  const sequence = Buffer.from(avif)
  sequence.write("avis", 8, "latin1")
  return sequence
}

/** A PNG of a few bytes whose header claims that many pixels. */
export const pixelBomb = (png: Buffer, width: number, height: number): Buffer => {
  const header = Buffer.from(png.subarray(16, 29))
  header.writeUInt32BE(width, 0)
  header.writeUInt32BE(height, 4)
  return Buffer.concat([png.subarray(0, 8), pngChunk("IHDR", header), png.subarray(PNG_HEADER_END)])
}
