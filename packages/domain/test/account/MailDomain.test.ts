import { RUNS } from "@community-messaging/domain-contract/Arbitraries"
import { describe, expect, it } from "@effect/vitest"
import { Either, FastCheck, Option } from "effect"
import { toAscii } from "../../src/account/MailDomain.ts"

/** A host as UTS 46 maps it, which is what a URL has. */
const hostname = (domain: string): string =>
  Either.getOrElse(Either.try(() => new URL(`http://${domain}`).hostname), () => "")

/** Pieces that have a meaning in a host: letters in capitals, numbers in several bases, Punycode, a Kelvin sign. */
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

/** Of the pieces, the only label in Punycode. */
const hasInvalidPunycode = (domain: string): boolean =>
  domain.toLowerCase().split(".").some((label) => label.startsWith("xn--") && label !== "xn--mnchen-3ya")

describe("the ASCII form of a domain name", () => {
  it.prop("is the host that a URL has", [domains], ([domain]) => {
    for (const ascii of Option.toArray(toAscii(domain))) expect(ascii).toBe(hostname(domain))
  }, { fastCheck: { ...RUNS.fastCheck, numRuns: 2000 } })

  it.prop("is there for each host of a URL that has labels and does not end in a number", [domains], ([domain]) => {
    // Not all versions of Node check it.
    FastCheck.pre(!hasInvalidPunycode(domain))
    const isName = /^(?:[a-z0-9]([a-z0-9-]*[a-z0-9])?\.)+[a-z0-9]([a-z0-9-]*[a-z0-9])?$/.test(hostname(domain)) &&
      !/\.[0-9]+$/.test(hostname(domain))
    expect(Option.isSome(toAscii(domain))).toBe(isName)
  }, { fastCheck: { ...RUNS.fastCheck, numRuns: 2000 } })

  it.each(["xn--.test", "xn--a.test", "mail.xn--a", "XN--A.test"])(
    "is not there for a label that is no valid Punycode: %s",
    (domain) => {
      expect(toAscii(domain)).toEqual(Option.none())
    }
  )

  it("ignores capitals", () => {
    expect(toAscii("Mail.Example.TEST")).toEqual(Option.some("mail.example.test"))
  })
})
