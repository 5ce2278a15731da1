import { describe, expect, it } from "@effect/vitest"
import { FastCheck } from "effect"
import * as Bitset from "../../src/segment/Bitset.ts"
import { runs } from "../Generated.ts"

const anyWord = FastCheck.oneof(
  FastCheck.integer({ min: 0, max: 0xffff_ffff }),
  FastCheck.constantFrom(0, 1, 0x8000_0000, 0xffff_ffff)
)

const anyBitset = FastCheck.array(anyWord, { maxLength: 40 }).map((words) => Uint32Array.from(words))

const bitsSet = (bits: Uint32Array): number =>
  Array.from(bits, (word) => word.toString(2).replaceAll("0", "").length).reduce((sum, count) => sum + count, 0)

describe("a bitset", () => {
  it.prop(
    "counts its bits, and has more than a limit exactly if their count is larger, whatever its number of words is",
    { bits: anyBitset, limit: FastCheck.integer({ min: 0, max: 200 }) },
    ({ bits, limit }) => {
      expect(Bitset.count(bits)).toBe(bitsSet(bits))
      expect(Bitset.hasMoreThan(bits, limit)).toBe(bitsSet(bits) > limit)
      expect(Bitset.hasMoreThan(bits, bitsSet(bits))).toBe(false)
    },
    runs(500)
  )
})
