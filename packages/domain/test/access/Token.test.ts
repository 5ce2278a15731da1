import { utf16Unit } from "@community-messaging/domain-contract/CodePoint"
import { describe, expect, it } from "@effect/vitest"
import { FastCheck, Redacted } from "effect"
import * as Token from "../../src/access/Token.ts"

const hexDigit = FastCheck.constantFrom(..."0123456789abcdef")

const KINDS = ["bot", "admin", "webhook", "authorizationCode", "accessToken"] as const satisfies ReadonlyArray<
  Token.TokenKind
>
const kind = FastCheck.constantFrom(...KINDS)
const entropy = FastCheck.uint8Array({ minLength: 32, maxLength: 32 })

const text = (tokenKind: Token.TokenKind, bytes: Uint8Array): string => Redacted.value(Token.format(tokenKind, bytes))

const ZEROS = new Uint8Array(32)

describe("a token", () => {
  it("is a prefix, 256 bits and a checksum, all valid in a URL and in a header", () => {
    expect(text("bot", ZEROS)).toMatch(/^cmb_[A-Za-z0-9_-]{43}[A-Za-z0-9_-]{6}$/)
  })

  it("ends with the CRC-32 of all characters before it", () => {
    // The checksum by zlib's crc32, as four bytes in base64url.
    expect(text("bot", ZEROS).slice(-6)).toBe("v5wfQg")
  })

  it.each(
    [
      ["bot", "cmb_"],
      ["admin", "cma_"],
      ["webhook", "cmw_"],
      ["authorizationCode", "cmc_"],
      ["accessToken", "cmt_"]
    ] as const
  )("for %s begins with %s", (tokenKind, prefix) => {
    expect(text(tokenKind, ZEROS).startsWith(prefix)).toBe(true)
  })

  it("is redacted when it is printed", () => {
    expect(JSON.stringify(Token.format("bot", ZEROS))).toBe("\"<redacted>\"")
  })

  it.prop("contains all of its 256 bits", { kind, entropy, other: entropy }, (given) => {
    const same = given.entropy.every((byte, index) => byte === given.other[index])
    expect(text(given.kind, given.entropy) === text(given.kind, given.other)).toBe(same)
  })

  it.prop("is accepted as one of its kind alone", { kind, entropy }, (given) => {
    const taken = KINDS.filter((other) => Token.isWellFormed(other, text(given.kind, given.entropy)))
    expect(taken).toEqual([given.kind])
  })

  it.prop(
    "does not become one of another kind when its prefix is replaced",
    { kind, other: kind, entropy },
    (given) => {
      const disguised = Token.PREFIX[given.other] + text(given.kind, given.entropy).slice(4)
      expect(Token.isWellFormed(given.other, disguised)).toBe(given.other === given.kind)
    }
  )
})

describe("a mistyped token", () => {
  const position = FastCheck.nat({ max: 4 + 43 + 6 - 1 })

  it.prop(
    "with any one character replaced is rejected",
    {
      kind,
      entropy,
      position,
      character: FastCheck.oneof(FastCheck.constantFrom(..."ABCXYZabcxyz0189-_"), utf16Unit)
    },
    (given) => {
      const right = text(given.kind, given.entropy)
      const typed = right.slice(0, given.position) + given.character + right.slice(given.position + 1)
      expect(Token.isWellFormed(given.kind, typed)).toBe(typed === right)
    },
    { fastCheck: { seed: 1, numRuns: 2000 } }
  )

  it.prop("with two neighbours exchanged is rejected", { kind, entropy, position }, (given) => {
    const right = text(given.kind, given.entropy)
    const [one = "", other = ""] = right.slice(given.position, given.position + 2)
    const typed = right.slice(0, given.position) + other + one + right.slice(given.position + 2)
    expect(Token.isWellFormed(given.kind, typed)).toBe(typed === right)
  }, { fastCheck: { seed: 1, numRuns: 1000 } })

  it.prop("with a character missing is rejected", { kind, entropy, position }, (given) => {
    const right = text(given.kind, given.entropy)
    const typed = right.slice(0, given.position) + right.slice(given.position + 1)
    expect(Token.isWellFormed(given.kind, typed)).toBe(false)
  })
})

describe("two digests", () => {
  const digest = FastCheck.string({ unit: hexDigit, minLength: 64, maxLength: 64 }).map((hex) =>
    Token.TokenDigest.make(hex)
  )

  it.prop(
    "are equal if all of their digits are",
    { digest, position: FastCheck.nat({ max: 63 }), digit: hexDigit },
    (given) => {
      const other = Token.TokenDigest.make(
        given.digest.slice(0, given.position) + given.digit + given.digest.slice(given.position + 1)
      )
      expect(Token.digestsEqual(given.digest, other)).toBe(given.digest[given.position] === given.digit)
    }
  )
})
