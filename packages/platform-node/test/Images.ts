import { Effect } from "effect"
import { deflateSync } from "node:zlib"
import sharp, { type Sharp } from "sharp"

const CRC_TABLE = Array.from({ length: 256 }, (_, index) => {
  let value = index
  for (let bit = 0; bit < 8; bit += 1) value = (value >>> 1) ^ (value & 1 ? 0xedb88320 : 0)
  return value >>> 0
})

const crc32 = (bytes: Uint8Array): number =>
  ~bytes.reduce((crc, byte) => (crc >>> 8) ^ (CRC_TABLE[(crc ^ byte) & 0xff] ?? 0), 0xffffffff) >>> 0

/** A picture that does not compress well, with `frames` frames one below the other. */
export const picture = (width: number, height: number, frames = 1): Sharp => {
  const pixels = Uint8Array.from({ length: width * height * frames * 4 }, (_, index) => (index * 7919) % 251)
  return sharp(pixels, {
    raw: { width, height: height * frames, channels: 4, ...(frames > 1 && { pageHeight: height }) }
  })
}

/** A chunk as the PNG specification (5.3) describes it. */
export const pngChunk = (type: string, data: Uint8Array): Buffer => {
  const body = Buffer.concat([Buffer.from(type, "latin1"), data])
  const chunk = Buffer.alloc(body.length + 8)
  chunk.writeUInt32BE(data.length, 0)
  body.copy(chunk, 4)
  chunk.writeUInt32BE(crc32(body), body.length + 4)
  return chunk
}

const PNG_HEADER_END = 8 + 25

/** The PNG with the chunks that make it an animation of `frames` frames (APNG specification, acTL and fcTL). */
export const animatedPng = (png: Buffer, width: number, height: number, frames: number): Buffer => {
  const control = Buffer.alloc(8)
  control.writeUInt32BE(frames, 0)
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
    ...Array.from({ length: frames }, (_, sequence) => frame(sequence)),
    png.subarray(PNG_HEADER_END)
  ])
}

/** The AVIF image with the brand of an image sequence in front (AVIF specification, 6). */
export const avifSequence = (avif: Buffer): Buffer => {
  const sequence = Buffer.from(avif)
  sequence.write("avis", 8, "latin1")
  return sequence
}

/** A PNG of a few bytes whose header claims this width and height. */
export const pixelBomb = (png: Buffer, width: number, height: number): Buffer => {
  const header = Buffer.from(png.subarray(16, 29))
  header.writeUInt32BE(width, 0)
  header.writeUInt32BE(height, 4)
  return Buffer.concat([png.subarray(0, 8), pngChunk("IHDR", header), png.subarray(PNG_HEADER_END)])
}

/** The PNG with these chunks after its header. */
const withChunks = (png: Buffer, ...chunks: ReadonlyArray<Buffer>): Buffer =>
  Buffer.concat([png.subarray(0, PNG_HEADER_END), ...chunks, png.subarray(PNG_HEADER_END)])

/** The PNG with an empty chunk of the type after its header. */
export const withPngChunk = (png: Buffer, type: string): Buffer => withChunks(png, pngChunk(type, Buffer.alloc(0)))

/** The PNG with its data in two chunks, and a comment between them. */
export const splitData = (png: Buffer): Buffer => {
  const start = png.indexOf("IDAT") - 4
  const length = png.readUInt32BE(start)
  const data = png.subarray(start + 8, start + 8 + length)
  return Buffer.concat([
    png.subarray(0, start),
    pngChunk("IDAT", data.subarray(0, 20)),
    pngChunk("tEXt", Buffer.from("a\0b")),
    pngChunk("IDAT", data.subarray(20)),
    png.subarray(start + 12 + length)
  ])
}

/** The PNG with a comment of 8 MiB, compressed (PNG specification, 11.3.3.3). */
export const withLargeComment = (png: Buffer): Buffer =>
  withChunks(png, pngChunk("zTXt", Buffer.concat([Buffer.from("Comment\0\0"), deflateSync(Buffer.alloc(2 ** 23, 65))])))

/** The PNG with two suggested palettes, of which the specification (11.2.2) allows one. */
export const withTwoPalettes = (png: Buffer): Buffer => {
  const palette = pngChunk("PLTE", Buffer.alloc(3))
  return withChunks(png, palette, palette)
}

/** The JPEG with a comment, of which a file can have millions (ITU-T T.81, B.2.4.5). */
export const withComment = (jpeg: Buffer): Buffer =>
  Buffer.concat([jpeg.subarray(0, 2), Buffer.from([0xff, 0xfe, 0, 9]), Buffer.from("comment"), jpeg.subarray(2)])

const JPEG_SCAN_HEADER = 14

/**
 * The progressive JPEG with a hidden scan before its first segment: a fill byte, a comment, and a scan without the first
 * byte of its marker. If the comment alone were cut out, the fill byte would complete the marker.
 */
export const withHiddenScan = (jpeg: Buffer): Buffer => {
  const start = jpeg.indexOf(Buffer.from([0xff, 0xda]))
  const scan = jpeg.subarray(start, jpeg.indexOf(Buffer.from([0xff, 0xc4]), start))
  const comment = Buffer.from([0xff, 0xfe, 0, 2])
  return Buffer.concat([jpeg.subarray(0, 2), Buffer.from([0xff]), comment, scan.subarray(1), jpeg.subarray(2)])
}

/** The progressive JPEG, with scans at its end that set all coefficients of its first scan again. */
export const withScans = (jpeg: Buffer, added: number): Buffer => {
  const start = jpeg.indexOf(Buffer.from([0xff, 0xda]))
  // The Huffman table of the next scan follows.
  const scan = Buffer.from(jpeg.subarray(start, jpeg.indexOf(Buffer.from([0xff, 0xc4]), start)))
  // With all their bits, because only the first scan of a coefficient may leave some out.
  scan[JPEG_SCAN_HEADER - 1] = 0
  return Buffer.concat([jpeg.subarray(0, -2), ...Array.from({ length: added }, () => scan), jpeg.subarray(-2)])
}

/** A picture of one colour, whose file is small. */
export const plain = (width: number, height: number): Sharp =>
  sharp({ create: { width, height, channels: 3, background: "red" } })

const GIF_HEADER = Buffer.from([...Buffer.from("GIF89a"), 16, 0, 16, 0, 0x80, 0, 0, 0, 0, 0, 255, 255, 255])
const GIF_FRAME = Buffer.from([0x2c, 0, 0, 0, 0, 1, 0, 1, 0, 0, 2, 2, 0x44, 1, 0])
const GIF_TRAILER = Buffer.from([0x3b])

/** A GIF of `frames` frames of one pixel (GIF89a specification, 18 to 27). */
export const gifOfFrames = (frames: number): Effect.Effect<Buffer> =>
  Effect.succeed(Buffer.concat([GIF_HEADER, ...Array.from({ length: frames }, () => GIF_FRAME), GIF_TRAILER]))

/** An animated PNG of `frames` frames of one pixel. */
export const pngOfFrames = (frames: number): Effect.Effect<Buffer> =>
  Effect.map(Effect.promise(() => plain(1, 1).png().toBuffer()), (bytes) => animatedPng(bytes, 1, 1, frames))

/** A GIF of one pixel on a screen of this width and height (GIF89a specification, 18). */
export const gifOnScreen = (side: number): Effect.Effect<Buffer> =>
  Effect.map(gifOfFrames(1), (bytes) => {
    bytes.writeUInt16LE(side, 6)
    bytes.writeUInt16LE(side, 8)
    return bytes
  })

/** A chunk as the WebP container specification (RIFF file format) describes it. */
export const webpChunk = (type: string, ...data: ReadonlyArray<Uint8Array>): Buffer => {
  const body = Buffer.concat(data)
  const header = Buffer.alloc(8)
  header.write(type, 0, "latin1")
  header.writeUInt32LE(body.length, 4)
  return Buffer.concat([header, body, Buffer.alloc(body.length % 2)])
}

const ANIMATION_AND_ALPHA = 0x12

/** A WebP of `frames` frames of one pixel (WebP container specification, Animation). */
export const webpOfFrames = (frames: number): Effect.Effect<Buffer> => {
  const pixel = sharp({ create: { width: 1, height: 1, channels: 4, background: "red" } }).webp({ lossless: true })
  const extended = Buffer.alloc(10)
  extended[0] = ANIMATION_AND_ALPHA
  return Effect.map(Effect.promise(() => pixel.toBuffer()), (bytes) => {
    const frame = webpChunk("ANMF", Buffer.alloc(16), bytes.subarray(12))
    const animation = [webpChunk("VP8X", extended), webpChunk("ANIM", Buffer.alloc(6))]
    return webpChunk("RIFF", Buffer.from("WEBP"), ...animation, ...Array.from({ length: frames }, () => frame))
  })
}

/**
 * An AVIF of 64 × 64 pixels whose transparency is a picture of 8192 × 8192 pixels, in 987 bytes: two pictures of one colour,
 * made by libheif, with the first one's colours and the second one's transparency.
 */
export const largeTransparency: Buffer = Buffer.from(
  [
    "AAAAHGZ0eXBhdmlmAAAAAGF2aWZtaWYxbWlhZgAAAXxtZXRhAAAAAAAAACFoZGxyAAAAAAAAAABwaWN0AAAAAAAAAAAAAAAAAAAAAA5waXRtAA",
    "AAAAABAAAALGlsb2MAAAAARAAAAgABAAAAAQAAAaAAAAApAAIAAAABAAAByQAAAhIAAAA4aWluZgAAAAAAAgAAABVpbmZlAgAAAAABAABhdjAx",
    "AAAAABVpbmZlAgAAAAACAABhdjAxAAAAABppcmVmAAAAAAAAAA5hdXhsAAIAAQABAAAAw2lwcnAAAACeaXBjbwAAAAxhdjFDgQAMAAAAABRpc3",
    "BlAAAAAAAAAEAAAABAAAAAEHBpeGkAAAAAAwgICAAAAAxhdjFDgR8cAAAAABRpc3BlAAAAAAAAIAAAACAAAAAADnBpeGkAAAAAAQgAAAA4YXV4",
    "QwAAAAB1cm46bXBlZzptcGVnQjpjaWNwOnN5c3RlbXM6YXV4aWxpYXJ5OmFscGhhAAAAAB1pcG1hAAAAAAAAAAIAAQOBAgMAAgSEBQYHAAACQ2",
    "1kYXQSAAoJGBV//aICGg0IMhof94eFFd///+LPwIDPyir3GXnP97RQOAZLgBIACgcf8z////4VMoQEGA+Q//FAAEL1NAo1ONvrVTnHq8t5FYkH",
    "uBCojUn9Ok9MTGKq2wqO1YI1QqBOKx5CCTruMa2/XBxdgBaYRjTsXNU9s2VNBuNs/GtAQPU0CdQ/IscYx6SEm+BuzLniVN3ecftf4Fifs5chWV",
    "OVUM5GLTOgdC8TvlyUISm/AXa8ReW6sDjaBFqxRGuFvLoQQPU0CdQ/IscYx6SEm+BuzLniVN3ecftf4Fifs5chWVOVUM5GLTOgdC8TvlyUISm/",
    "AXa8ReW6sDjaBFqxRGuFvLoQQPU0CdQ/IscYx6SEm+BuzLniVN3ecftf4Fifs5chWVOVUM5GLTOgdC8TvlyUISm/AXa8ReW6sDjaBFqxRGuFvL",
    "oQQfUz7sqK6LufLA7RXkMFLFSPnWEJ+ajmIatbI+MqjYyC/QpSpAKeEKFKB/AUPj/djNN9x6440ywEiS0AV7eAfoFcaDn1I3m0oFNdUBpQO+oL",
    "iavTBHpbXip4eZ6FUGde8CDWAkx0Iu8DgVyRhCxPsk1s+d3N5xe/5Da84Xn0OfUjebSgU11QGlA76guJq9MEelteKnh5noVQZ17wINYCTHQi7w",
    "OBXJGELE+yTWz53c3nF7/kNrzhefT1I3m0oFNdUBpQO+oLiavTBHpbXip4eZ6FUGde8CDWAkx0Iu8DgVyRhCxPsk1s+d3N5xe/5Da84Xn0"
  ].join(""),
  "base64"
)

/** The AVIF without the declared size of its last picture. */
export const withoutLastSize = (avif: Buffer): Buffer => {
  const bytes = Buffer.from(avif)
  bytes.write("free", bytes.lastIndexOf("ispe"), "latin1")
  return bytes
}
