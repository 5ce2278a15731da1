import { JOINED_BYTES, JOINED_PIECES, SmallPieces } from "@community-messaging/http-adapter/server/bodies/SmallPieces"
import { describe, expect, it } from "@effect/vitest"
import { FastCheck } from "effect"

const bytes = FastCheck.uint8Array({ maxLength: 3 * JOINED_BYTES, size: "max" })

describe("The pieces of a body", () => {
  it("are read together if they are small, so that a chunk of one byte costs little", () => {
    const small = new SmallPieces()
    const read = Array.from({ length: 100_000 }, () => small.add(Uint8Array.of(32))).flat()
    expect(read.length).toBeLessThanOrEqual(1 + Math.ceil(100_000 / JOINED_PIECES))
  })

  it("are read at once if there is only one, or if they are large", () => {
    const small = new SmallPieces()
    const [first, large] = [Uint8Array.of(1), new Uint8Array(JOINED_BYTES)]
    expect(small.add(first)).toEqual([first])
    expect(small.add(large)).toEqual([large])
    expect(small.end()).toEqual([])
  })

  it("keep their bytes and their order", () => {
    FastCheck.assert(FastCheck.property(FastCheck.array(bytes, { maxLength: 20 }), (pieces) => {
      const small = new SmallPieces()
      const read = [...pieces.flatMap((piece) => small.add(piece)), ...small.end()]
      expect(Buffer.concat(read).equals(Buffer.concat(pieces))).toBe(true)
    }))
  })
})
