import { isWordStart } from "@community-messaging/domain/member-search/MemberText"
import { codePointLength } from "@community-messaging/domain/shared-kernel/CodePointLength"
import { describe, expect, it } from "@effect/vitest"
import { FastCheck } from "effect"
import { anyCodePoint } from "../../../domain-contract/src/CodePoint.ts"
import * as EncodedText from "../../src/segment/EncodedText.ts"
import { runs } from "../Generated.ts"

/** Characters of one to six bytes, letters and others, and lone surrogates. */
const UNITS = ["a", "7", " ", "\u0000", "\u007f", "é", "\u07ff", "山", "\uffff", "🦊", "𐐨", "\ud83e", "\udd8a"]

const text = FastCheck.oneof(
  FastCheck.string({ unit: FastCheck.constantFrom(...UNITS), maxLength: 12 }),
  FastCheck.string({ unit: anyCodePoint })
)

/** The text as a field: its bytes, followed by `END`. */
const field = (value: string): Uint8Array => {
  const bytes = new Uint8Array(value.length * EncodedText.BYTES_PER_UNIT + 1)
  const end = EncodedText.encodeInto(bytes, 0, value)
  bytes[end] = EncodedText.END
  return bytes.slice(0, end + 1)
}

/** Where each UTF-16 unit of the text begins. */
const places = (value: string): ReadonlyArray<number> =>
  Array.from({ length: value.length }, (_, unit) => field(value.slice(0, unit)).length - 1)

describe("encoded text", () => {
  it.prop("occurs where the text does, so always around it", { all: text, part: text, after: text }, (drawn) => {
    const { after, all, part } = drawn
    const needle = field(part)
    const isIn = (bytes: Uint8Array) => EncodedText.occursIn(bytes, 0, bytes.length, needle, needle.length - 1)
    expect(isIn(field(all))).toBe(all.includes(part))
    expect(isIn(field(`${all}${part}${after}`))).toBe(true)
  }, runs(1000))

  it.prop("begins units where the text does", { all: text }, ({ all }) => {
    const bytes = field(all)
    const starting = Array.from(bytes.keys()).filter((at) => EncodedText.startsUnit(bytes[at] ?? 0))
    expect(starting).toEqual([...places(all), bytes.length - 1])
  }, runs(200))

  it.prop("begins words where the text does", { all: text }, ({ all }) => {
    const bytes = field(all)
    expect(places(all).map((at) => EncodedText.isWordStart(bytes, 0, at))).toEqual(
      Array.from({ length: all.length }, (_, unit) => isWordStart(all, unit))
    )
  }, runs(1000))

  it.prop("has the letters of all its parts", { all: text, part: text }, ({ all, part }) => {
    const letters = (value: string) => EncodedText.letterBits(field(value), field(value).length - 1)
    expect(letters(`${all}${part}`) & letters(part)).toBe(letters(part))
  }, runs(200))

  it.prop(
    "has the right length, also if it is long",
    { all: text, times: FastCheck.constantFrom(1, 40, 300) },
    ({ all, times }) => {
      const long = all.repeat(times)
      expect(EncodedText.lengthAt(field(long), 0)).toBe(codePointLength(long))
    },
    runs(200)
  )
})
