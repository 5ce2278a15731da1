import { anyCodePoint } from "@community-messaging/domain-contract/CodePoint"
import { describe, expect, it } from "@effect/vitest"
import { FastCheck } from "effect"
import { isWordStart, normalise, terms } from "../../src/member-search/MemberText.ts"

const anyCharacter = FastCheck.string({ unit: anyCodePoint, minLength: 1, maxLength: 1 })

/** Beyond the end of "CJK Compatibility Ideographs Supplement" no character has a compatibility form. */
const LAST_COMPATIBILITY_CHARACTER = 0x2fa1f

describe("normalised text", () => {
  it.each([
    ["without accents, composed", "Ren\u00e9e", "renee"],
    ["without accents, combining", "Rene\u0301e", "renee"],
    ["without several marks", "Ướt Ąćęłńóśźż", "uot acełnoszz"],
    ["in its plain form: full width", "ＡＢＣ　１２３", "abc 123"],
    ["in its plain form: half-width katakana", "ｶﾞｷﾞ", "カキ"],
    ["in its plain form: ligatures and styled letters", "ﬁ 𝒜𝓃𝓃 ①", "fi ann 1"],
    ["trimmed, with every kind of white space collapsed", " a\u00a0b \t\nc\u3000d ", "a b c d"],
    ["with CJK as it is", "山田 太郎", "山田 太郎"],
    ["with emoji as it is", "anna 🦊", "anna 🦊"],
    ["with an emoji's presentation ignored", "❤\ufe0f", "❤"],
    ["with the dotted capital of Turkish as a plain letter", "İzmir", "izmir"],
    ["with the same small sigma at every place", "ΝΙΚΟΣ Σ", "νικοσ σ"]
  ])("is %s", (_, text, normalised) => {
    expect(normalise(text)).toBe(normalised)
  })

  // A character with a mark is not plain ASCII, so the whole text takes the slow way.
  it.prop(
    "is the same for plain ASCII in every way that it is computed",
    [FastCheck.string({ unit: "binary-ascii" })],
    ([text]) => {
      expect(normalise(text)).toBe(normalise(`${text}\u0301`))
    }
  )

  it.each(["", " ", "\t\u3000\u00a0", "\u0301", "\ufe0f"])("is blank for %j", (text) => {
    expect(normalise(text)).toBe("")
  })

  it("does not change when it is normalised again, for any character", () => {
    const changing = []
    for (let code = 0; code <= LAST_COMPATIBILITY_CHARACTER; code += 1) {
      const once = normalise(`a${String.fromCodePoint(code)}a`)
      if (normalise(once) !== once) changing.push(code.toString(16))
    }
    expect(changing).toEqual([])
  })

  it.prop(
    "still contains the normalised form of each part of it",
    {
      before: FastCheck.string({ unit: anyCodePoint }),
      part: FastCheck.string({ unit: anyCodePoint }),
      after: FastCheck.string({ unit: anyCodePoint })
    },
    ({ after, before, part }) => {
      expect(normalise(`${before}${part}${after}`)).toContain(normalise(part))
    },
    { fastCheck: { numRuns: 1000 } }
  )
})

describe("the terms of a query", () => {
  it("are the words between its spaces", () => {
    expect(terms("anna de la cruz")).toEqual(["anna", "de", "la", "cruz"])
  })

  it("do not exist if it is blank", () => {
    expect(terms("")).toEqual([])
  })
})

describe("a word", () => {
  it("begins at the beginning of a name", () => {
    expect(isWordStart("anna", 0)).toBe(true)
  })

  it.prop(
    "begins where no letter or digit precedes",
    { before: FastCheck.oneof(FastCheck.constantFrom(..."a7山𐐨 _🦊"), anyCharacter), after: anyCharacter },
    ({ after, before }) => {
      expect(isWordStart(`${before}${after}`, before.length)).toBe(!/^[\p{L}\p{N}]$/u.test(before))
    }
  )
})
