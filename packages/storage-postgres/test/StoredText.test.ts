import { escape, unescape } from "@community-messaging/storage-postgres/StoredText"
import { describe, expect, it } from "@effect/vitest"
import { FastCheck } from "effect"

/** Texts with many of the escaped characters. */
const texts = FastCheck.string({ unit: FastCheck.constantFrom("\0", "\u0010", "0", "1", "a", "é") })

describe("a stored text", () => {
  it.prop("is read as it was written, so differs from every other one, and has no U+0000", [texts], ([text]) => {
    expect(unescape(escape(text))).toBe(text)
    expect(escape(text)).not.toContain("\0")
  })

  it("is unchanged without the two characters", () => {
    expect(escape("plain text \u0001")).toBe("plain text \u0001")
  })
})
