import { describe, expect, it } from "@effect/vitest"
import { Either, FastCheck, Option } from "effect"
import { toAscii } from "../../src/account/MailDomain.ts"

/** The host in a URL: the domain as UTS 46 maps it. */
const hostname = (domain: string): string =>
  Either.getOrElse(Either.try(() => new URL(`http://${domain}`).hostname), () => "")

/** Pieces that have a meaning in a host: upper-case letters, numbers in several bases, Punycode, a Kelvin sign. */
const pieces = FastCheck.constantFrom(
  "a",
  "Z",
  "0",
  "9",
  "x",
  "0x1f",
  "-",
  "--",
  ".",
  "xn--",
  "XN--mnchen-3ya",
  "\u212a"
)

const domains = FastCheck.array(pieces, { minLength: 1, maxLength: 9 }).map((parts) => parts.join(""))

/** Returns whether a label begins like Punycode but is not the only valid one of the pieces. */
const hasInvalidPunycode = (domain: string): boolean =>
  domain.toLowerCase().split(".").some((label) => label.startsWith("xn--") && label !== "xn--mnchen-3ya")

describe("the ASCII form of a domain name", () => {
  it.prop("is the host of a URL", [domains], ([domain]) => {
    for (const ascii of Option.toArray(toAscii(domain))) expect(ascii).toBe(hostname(domain))
  }, { fastCheck: { numRuns: 2000 } })

  it.prop("exists for each host of a URL that has labels and does not end in a number", [domains], ([domain]) => {
    // Some versions of Node do not check Punycode.
    FastCheck.pre(!hasInvalidPunycode(domain))
    const isName = /^(?:[a-z0-9]([a-z0-9-]*[a-z0-9])?\.)+[a-z0-9]([a-z0-9-]*[a-z0-9])?$/.test(hostname(domain)) &&
      !/\.[0-9]+$/.test(hostname(domain))
    expect(Option.isSome(toAscii(domain))).toBe(isName)
  }, { fastCheck: { numRuns: 2000 } })

  it.each(["xn--.test", "xn--a.test", "mail.xn--a", "XN--A.test"])(
    "does not exist for a label that is not valid Punycode: %s",
    (domain) => {
      expect(toAscii(domain)).toEqual(Option.none())
    }
  )

  it("ignores case", () => {
    expect(toAscii("Mail.Example.TEST")).toEqual(Option.some("mail.example.test"))
  })
})
