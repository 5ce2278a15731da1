import { describe, expect, it } from "@effect/vitest"
import sharp from "sharp"
import * as JpegSegments from "../src/JpegSegments.ts"
import * as PngChunks from "../src/PngChunks.ts"
import * as WebpChunks from "../src/WebpChunks.ts"
import { animatedPng, plain, webpChunk, withComment, withHiddenScan, withLargeComment, withScans } from "./Images.ts"

const png = await plain(64, 48).png().toBuffer()
const jpeg = await plain(64, 48).jpeg({ progressive: true }).toBuffer()

const pixels = (bytes: Uint8Array) => sharp(bytes).raw().toBuffer()

describe("the picture of a PNG", () => {
  it("has the pixels, but no text, which may be a thousand times as large as its chunk", async () => {
    const commented = withLargeComment(png)
    expect((await sharp(commented).metadata()).comments).toHaveLength(1)
    const { bytes = new Uint8Array() } = PngChunks.picture(commented) ?? {}
    expect((await sharp(bytes).metadata()).comments).toBeUndefined()
    expect(await pixels(bytes)).toEqual(await pixels(png))
  })

  it("has no frames of an animation, but their number", () => {
    const { bytes, frames, isAnimation } = PngChunks.picture(animatedPng(png, 64, 48, 3)) ?? {}
    expect({ frames, isAnimation }).toEqual({ frames: 3, isAnimation: true })
    expect(bytes).toEqual(PngChunks.picture(png)?.bytes)
  })
})

describe("the picture of a JPEG", () => {
  it("has the pixels, but no metadata", async () => {
    const tagged = withComment(await sharp(jpeg).withExif({ IFD0: { Artist: "Ada" } }).jpeg().toBuffer())
    expect((await sharp(tagged).metadata()).exif).toBeDefined()
    const { bytes = new Uint8Array() } = JpegSegments.picture(tagged) ?? {}
    expect((await sharp(bytes).metadata()).exif).toBeUndefined()
    expect(Buffer.from(bytes).includes("comment")).toBe(false)
    expect(await pixels(bytes)).toEqual(await pixels(tagged))
  })

  it("has the number of components of its scans", () => {
    const passes = JpegSegments.picture(jpeg)?.passes ?? 0
    expect(passes).toBeGreaterThan(3)
    expect(JpegSegments.picture(withScans(jpeg, 20))?.passes).toBe(passes + 3 * 20)
  })

  it("has no scan that only the skipped segments hide", () => {
    const hidden = JpegSegments.picture(withHiddenScan(jpeg))
    expect(hidden).toEqual(JpegSegments.picture(jpeg))
    expect(JpegSegments.picture(hidden?.bytes ?? jpeg.subarray(0, 2))).toEqual(hidden)
  })

  it("ends with the image: bytes after it are not decoded", () => {
    const { bytes } = JpegSegments.picture(Buffer.concat([jpeg, jpeg])) ?? {}
    expect(bytes).toHaveLength(jpeg.length)
  })

  it("has at most a thousand segments", () => {
    const interval = Buffer.from([0xff, 0xdd, 0, 4, 0, 0])
    const withIntervals = (count: number) =>
      Buffer.concat([jpeg.subarray(0, 2), ...Array.from({ length: count }, () => interval), jpeg.subarray(2)])
    expect(JpegSegments.picture(withIntervals(900))).toBeDefined()
    expect(JpegSegments.picture(withIntervals(1000))).toBeUndefined()
  })

  it("may have fill bytes before its markers", async () => {
    const filled = Buffer.concat([jpeg.subarray(0, 2), Buffer.alloc(5, 0xff), jpeg.subarray(2)])
    expect(await pixels(JpegSegments.picture(filled)?.bytes ?? jpeg.subarray(0, 2))).toEqual(await pixels(jpeg))
  })
})

describe("the frames of a WebP", () => {
  const animation = (...chunks: ReadonlyArray<Buffer>) => webpChunk("RIFF", Buffer.from("WEBP"), ...chunks)
  const frame = (...more: ReadonlyArray<Buffer>) =>
    webpChunk("ANMF", Buffer.alloc(16), webpChunk("VP8L", Buffer.alloc(3)), ...more)

  it("are counted also in another frame, where libwebp finds them", () => {
    expect(WebpChunks.frameCount(animation(frame(), frame()))).toBe(2)
    expect(WebpChunks.frameCount(animation(frame(frame(frame()))))).toBe(3)
  })

  it("are too many in a file of more than 10,000 chunks", () => {
    const chunks = Array.from({ length: 9998 }, () => webpChunk("JUNK"))
    expect(WebpChunks.frameCount(animation(frame(), ...chunks))).toBe(1)
    expect(WebpChunks.frameCount(animation(frame(), ...chunks, webpChunk("JUNK")))).toBe(Infinity)
  })
})

it("a picture is a copy: the file remains as it is", () => {
  for (
    const [file, picture] of [[withLargeComment(png), PngChunks.picture], [
      withComment(jpeg),
      JpegSegments.picture
    ]] as const
  ) {
    const before = Uint8Array.from(file)
    picture(file)
    expect(Uint8Array.from(file)).toEqual(before)
  }
})
