import { FastCheck } from "effect"

const SURROGATES = { first: 0xd800, count: 0x800 }
const LAST = 0x10ffff

/**
 * One code point of any script: the same as fast-check's unit "binary", with the same values by seed. That one makes a map of
 * all 1.1 million, which takes a second, and 110 MB until the process ends.
 */
export const anyCodePoint: FastCheck.Arbitrary<string> = FastCheck.integer({ min: 0, max: LAST - SURROGATES.count })
  .map(
    (number) => String.fromCodePoint(number < SURROGATES.first ? number : number + SURROGATES.count),
    (character) => {
      const [only = "", ...others] = typeof character === "string" ? Array.from(character) : []
      const codePoint = only.codePointAt(0)
      if (codePoint === undefined || others.length > 0) throw new Error("not one code point")
      return codePoint < SURROGATES.first ? codePoint : codePoint - SURROGATES.count
    }
  )

/** Any UTF-16 unit, lone surrogates included. */
export const utf16Unit: FastCheck.Arbitrary<string> = FastCheck.nat({ max: 0xffff }).map((unit) =>
  String.fromCharCode(unit)
)
