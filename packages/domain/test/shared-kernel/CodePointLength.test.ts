import { anyCodePoint, utf16Unit } from "@community-messaging/domain-contract/CodePoint"
import { describe, expect, it } from "@effect/vitest"
import { FastCheck, Schema } from "effect"
import { codePointLength, codePointsBetween, maxCodePoints, truncate } from "../../src/shared-kernel/CodePointLength.ts"

/** Any text of JavaScript, lone surrogates included. */
const anyText = FastCheck.oneof(
  FastCheck.string({ unit: anyCodePoint, maxLength: 40 }),
  FastCheck.string({ unit: utf16Unit, maxLength: 40 }),
  FastCheck.array(FastCheck.constantFrom("a", " ", "😀", "\ud83d", "\ude00"), { maxLength: 20 }).map((all) =>
    all.join("")
  )
)

describe("the length of a text", () => {
  it.each([
    ["\u{10000}", 1],
    ["\u{10ffff}", 1],
    ["\ud83d\ud83d\ude00", 2],
    ["\ud83d\ue000", 2]
  ])("of %j is %i", (text, length) => {
    expect(codePointLength(text)).toBe(length)
  })

  it.prop("is the number of characters that iteration over the text returns", { text: anyText }, ({ text }) => {
    expect(codePointLength(text)).toBe(Array.from(text).length)
  })
})

describe("truncate", () => {
  it("replaces the last character and the excess by an ellipsis, where an emoji is one character", () => {
    expect(truncate("12345", 5)).toBe("12345")
    expect(truncate("123456", 5)).toBe("1234…")
    expect(truncate("😀😀😀", 3)).toBe("😀😀😀")
    expect(truncate("😀😀😀😀", 3)).toBe("😀😀…")
  })

  it("leaves no space before the ellipsis", () => {
    expect(truncate("one two", 5)).toBe("one…")
  })

  it.prop(
    "returns a text that fits unchanged, and otherwise its beginning and an ellipsis",
    { text: anyText, maximum: FastCheck.integer({ min: 1, max: 30 }) },
    ({ maximum, text }) => {
      const cut = truncate(text, maximum)
      if (codePointLength(text) <= maximum) {
        expect(cut).toBe(text)
      } else {
        expect(codePointLength(cut)).toBeLessThanOrEqual(maximum)
        expect(cut.endsWith("…")).toBe(true)
        expect(text.startsWith(cut.slice(0, -1))).toBe(true)
      }
    }
  )
})

describe("a bound on the length", () => {
  const twoToFour = Schema.is(Schema.String.pipe(codePointsBetween(2, 4)))
  const atMostFour = Schema.is(Schema.String.pipe(maxCodePoints(4)))

  it("of 2 to 4 counts characters", () => {
    const texts = ["", "a", "😀", "ab", "abcd", "😀😀", "😀😀😀😀", "abcde", "😀😀😀😀😀"]
    expect(texts.filter((text) => twoToFour(text))).toEqual(["ab", "abcd", "😀😀", "😀😀😀😀"])
  })

  it("of at most 4 accepts the empty text", () => {
    expect(atMostFour("")).toBe(true)
    expect(atMostFour("abcde")).toBe(false)
  })
})
