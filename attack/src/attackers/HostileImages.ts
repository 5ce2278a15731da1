import { crc32, deflateSync } from "node:zlib"
import sharp from "sharp"

/*
 * Images of some kilobytes that cost a decoder hundreds of megabytes, and images that all differ.
 */

const SIGNATURE = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a])

const chunk = (type: string, data: Buffer): Buffer => {
  const body = Buffer.concat([Buffer.from(type, "latin1"), data])
  const length = Buffer.alloc(4)
  length.writeUInt32BE(data.length)
  const checksum = Buffer.alloc(4)
  checksum.writeUInt32BE(crc32(body))
  return Buffer.concat([length, body, checksum])
}

/** A PNG that claims these dimensions, with the chunks after its header; only the first rows exist, and are zeros. */
const png = (width: number, height: number, rows: number, ...chunks: ReadonlyArray<Buffer>): Buffer => {
  const header = Buffer.alloc(13)
  header.writeUInt32BE(width, 0)
  header.writeUInt32BE(height, 4)
  // Eight bits for each of red, green, blue and opacity.
  header.set([8, 6], 8)
  return Buffer.concat([
    SIGNATURE,
    chunk("IHDR", header),
    ...chunks,
    chunk("IDAT", deflateSync(Buffer.alloc((width * 4 + 1) * rows), { level: 9 })),
    chunk("IEND", Buffer.alloc(0))
  ])
}

/** A PNG of one pixel with a comment of random bytes: another image each time, of any size. */
export const distinctPng = (bytes: number, byte: () => number): Buffer => {
  const comment = Buffer.alloc(bytes)
  for (let index = 0; index < Math.min(bytes, 64); index += 1) comment[index] = byte()
  return png(1, 1, 1, chunk("prVt", comment))
}

const GIF = Buffer.from("R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7", "base64")

/** A PNG of one pixel with texts of 8 MiB each, which compress to a thousandth. */
const pngOfTexts = (texts: number): Buffer => {
  const text = chunk(
    "zTXt",
    Buffer.concat([Buffer.from("text\0\0"), deflateSync(Buffer.alloc(2 ** 23, 65), { level: 9 })])
  )
  return png(1, 1, 1, ...Array.from({ length: texts }, () => text))
}

const segment = (marker: number, ...data: ReadonlyArray<number>): Buffer =>
  Buffer.from([0xff, marker, 0, data.length + 2, ...data])

/** A Huffman table with one symbol, whose code is a zero bit. */
const codeOf = (table: number, symbol: number): Buffer =>
  segment(0xc4, table, 1, ...Array.from({ length: 15 }, () => 0), symbol)

/**
 * A progressive JPEG of 4096 × 4096 pixels, with scans of some bytes for each of which a decoder passes through all pixels.
 */
const jpegOfScans = (scans: number): Buffer => {
  const blocks = 512 * 512
  // 16 runs of 16,384 blocks without coefficients: the code, then 14 bits.
  const emptyBlocks = Buffer.alloc(blocks / 16_384 * 15 / 8)
  const scan = Buffer.concat([segment(0xda, 1, 1, 0, 1, 63, 0), emptyBlocks])
  return Buffer.concat([
    Buffer.from([0xff, 0xd8]),
    segment(0xdb, 0, ...Array.from({ length: 64 }, () => 1)),
    segment(0xc2, 8, 0x10, 0, 0x10, 0, 1, 1, 0x11, 0),
    codeOf(0, 0),
    codeOf(0x10, 0xe0),
    segment(0xda, 1, 1, 0, 0, 0, 0),
    Buffer.alloc(blocks / 8),
    ...Array.from({ length: scans }, () => scan),
    Buffer.from([0xff, 0xd9])
  ])
}

/** A GIF of one pixel that claims 65,535 × 65,535, for its screen and its only frame. */
const hugeGif = (): Buffer => {
  const image = Buffer.from(GIF)
  for (const offset of [6, 8]) image.writeUInt16LE(65_535, offset)
  const frame = image.indexOf(0x2c, 20)
  for (const offset of [5, 7]) image.writeUInt16LE(65_535, frame + offset)
  return image
}

/** A GIF of many frames that are one pixel each. */
const framesGif = (): Buffer => {
  const frame = GIF.subarray(GIF.indexOf(0x21), GIF.length - 1)
  const head = GIF.subarray(0, GIF.indexOf(0x21))
  return Buffer.concat([head, ...Array.from({ length: 20_000 }, () => frame), Buffer.from([0x3b])])
}

const blank = (width: number, height: number) => sharp({ create: { width, height, channels: 3, background: "#000" } })

/** Images that are quick to make. */
const SMALL: ReadonlyArray<readonly [name: string, image: Buffer]> = [
  ["PNG that claims 60,000 × 60,000 pixels", png(60_000, 60_000, 1)],
  ["GIF that claims 65,535 × 65,535 pixels", hugeGif()],
  ["GIF of 20,000 frames", framesGif()],
  ["PNG with 60 texts of 8 MiB", pngOfTexts(60)],
  ["JPEG of 20,000 scans", jpegOfScans(20_000)]
]

/** The hostile images, by name. Making the large ones takes seconds. */
export const hostileImages = async (
  short: boolean
): Promise<ReadonlyArray<readonly [name: string, image: Buffer]>> =>
  short ? SMALL : [
    ...SMALL,
    ["AVIF of 8192 × 6144 pixels", await blank(8192, 6144).avif({ effort: 0 }).toBuffer()],
    ["PNG of 7000 × 7000 pixels", png(7000, 7000, 7000)],
    ["WebP of 16,383 × 3000 pixels", await blank(16_383, 3000).webp({ effort: 0 }).toBuffer()]
  ]

export const dataUri = (image: Buffer): string => `data:image/png;base64,${image.toString("base64")}`
