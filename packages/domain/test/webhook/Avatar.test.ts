import { describe, expect, it } from "@effect/vitest"
import { Schema } from "effect"
import { AvatarHash, hash } from "../../src/webhook/Avatar.ts"

const SHA256 = `0123456789abcdef0123456789abcdef${"f".repeat(32)}`

describe("the hash of an avatar", () => {
  it("is the first 32 digits of the SHA-256 of its bytes", () => {
    expect(hash(SHA256, { contentType: "image/png", animated: false })).toBe("0123456789abcdef0123456789abcdef")
  })

  it("begins with a_ if the image is animated", () => {
    expect(hash(SHA256, { contentType: "image/gif", animated: true })).toBe("a_0123456789abcdef0123456789abcdef")
  })

  it.each(["0".repeat(31), "0".repeat(33), "g".repeat(32), "A".repeat(32), `b_${"0".repeat(32)}`, "../../etc/passwd"])(
    "cannot be %s",
    (text) => {
      expect(Schema.is(AvatarHash)(text)).toBe(false)
    }
  )
})
