import * as PngChunks from "@community-messaging/platform-node/PngChunks"
import { describe, expect, it } from "vitest"

/** The beginning of a PNG: its signature, and a first chunk of this type with two numbers. */
const beginning = (type: string, width: number, height: number): Buffer => {
  const bytes = Buffer.alloc(33)
  bytes.set([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a])
  bytes.writeUInt32BE(13, 8)
  bytes.write(type, 12, "latin1")
  bytes.writeUInt32BE(width, 16)
  bytes.writeUInt32BE(height, 20)
  return bytes
}

describe("the longer side of a PNG", () => {
  it("is the side that its header declares", () => {
    expect(PngChunks.longerSide(beginning("IHDR", 300, 200))).toBe(300)
    expect(PngChunks.longerSide(beginning("IHDR", 1, 4_294_967_295))).toBe(4_294_967_295)
  })

  it("is undefined if the file does not begin with a complete header", () => {
    expect(PngChunks.longerSide(beginning("IDAT", 300, 200))).toBeUndefined()
    expect(PngChunks.longerSide(beginning("IHDR", 300, 200).subarray(0, 23))).toBeUndefined()
    expect(PngChunks.longerSide(new Uint8Array())).toBeUndefined()
  })
})
