import { anyCodePoint } from "@community-messaging/domain-contract/CodePoint"
import { describe, expect, it } from "@effect/vitest"
import { FastCheck, Schema } from "effect"
import { EmailAddress, uniquenessKey } from "../../src/account/EmailAddress.ts"

const isAddress = Schema.is(EmailAddress)

const key = (text: string): string => uniquenessKey(EmailAddress.make(text))

/** An address of this length in characters, with a local part of 64. */
const ofLength = (length: number): string => {
  const labels = `${"a".repeat(63)}.${"b".repeat(63)}.`
  return `${"x".repeat(64)}@${labels}${"c".repeat(length - 65 - labels.length - 5)}.test`
}

const valid: ReadonlyArray<readonly [why: string, address: string]> = [
  ["a plain one", "ann@mail.test"],
  ["one of the minimum length", "a@b.c"],
  ["capitals", "Ann.Smith@Mail.Test"],
  ["digits", "007@123.test"],
  ["a sub-address", "ann+news@mail.test"],
  ["all the special characters of a dot-atom", "!#$%&'*+/=?^_`{|}~-@mail.test"],
  ["several labels", "ann@a.b.c.mail.test"],
  ["a hyphen within a label", "ann@my-mail.test"],
  ["a punycode label", "ann@xn--mnchen-3ya.test"],
  ["letters of other scripts before the @", "жанна@mail.test"],
  ["letters of other scripts after the @", "ann@münchen.test"],
  ["an address all of another script", "用户@例子.广告"],
  ["full-width letters", "ａｎｎ@ｍａｉｌ.test"],
  ["an ideographic full stop after the @", "用户@例子。广告"],
  ["a letter with a combining mark", "re\u0301ne\u0301@mail.test"],
  ["64 characters before the @", `${"x".repeat(64)}@mail.test`],
  ["64 letters beyond the basic plane before the @", `${"𝒳".repeat(64)}@mail.test`],
  ["a label of 63 characters", `ann@${"x".repeat(63)}.test`],
  ["a number as a label that is not the last", "ann@mail.123.test"],
  ["a host of 253 characters in ASCII", `ann@${`${"ﬁ".repeat(31)}.`.repeat(4)}x`],
  ["254 characters", ofLength(254)]
]

const invalid: ReadonlyArray<readonly [why: string, address: string]> = [
  ["nothing", ""],
  ["no @", "mail.test"],
  ["nothing before the @", "@mail.test"],
  ["nothing after the @", "ann@"],
  ["an @ alone", "@"],
  ["two @", "ann@smith@mail.test"],
  ["a host without a dot", "ann@localhost"],
  ["white space around", " ann@mail.test "],
  ["a space within", "ann smith@mail.test"],
  ["a line break at the end", "ann@mail.test\n"],
  ["a tab in the host", "ann@mail\t.test"],
  ["a null character", "ann\u0000@mail.test"],
  ["a dot in front", ".ann@mail.test"],
  ["a dot before the @", "ann.@mail.test"],
  ["two dots in a row", "ann..smith@mail.test"],
  ["a dot after the @", "ann@.mail.test"],
  ["a dot at the end", "ann@mail.test."],
  ["two dots in the host", "ann@mail..test"],
  ["a hyphen before a label", "ann@-mail.test"],
  ["a hyphen after a label", "ann@mail-.test"],
  ["an underscore in the host", "ann@my_mail.test"],
  ["a host that UTS 46 rejects: empty Punycode", "ann@xn--a.test"],
  ["a host that UTS 46 rejects: an unassigned letter", "ann@a\u{1d378}\u{e0000}.test"],
  ["a host that becomes more than letters and digits", "ann@⑴.test"],
  ["a host that becomes empty", "ann@\u3164.test"],
  ["a host of 254 characters in ASCII", `ann@${`${"ﬁ".repeat(31)}.`.repeat(4)}xx`],
  ["a label that is too long in ASCII", `ann@${"ü".repeat(60)}.test`],
  ["an address of IPv4 as host", "ann@127.0.0.1"],
  ["an address of IPv4 in short as host", "ann@127.1"],
  ["a number as the last label", "ann@mail.123"],
  ["a port after the host", "ann@mail.test:25"],
  ["a path after the host", "ann@mail.test/path"],
  ["a percent-encoded host", "ann@m%61il.test"],
  ["a full-width @", "ann＠mail.test"],
  ["a local part that is invisible", "\u3164@mail.test"],
  ["a local part that means several words", "ﷺ@mail.test"],
  ["a quoted local part", "\"ann smith\"@mail.test"],
  ["a display name", "Ann <ann@mail.test>"],
  ["an address literal", "ann@[127.0.0.1]"],
  ["a comma between two", "ann@mail.test,bob@mail.test"],
  ["a header smuggled in", "ann@mail.test\r\nBcc: bob@mail.test"],
  ["an emoji", "😀@mail.test"],
  ["65 characters before the @", `${"x".repeat(65)}@mail.test`],
  ["65 letters beyond the basic plane before the @", `${"𝒳".repeat(65)}@mail.test`],
  ["a label of 64 characters", `ann@${"x".repeat(64)}.test`],
  ["255 characters", ofLength(255)]
]

describe("an e-mail address", () => {
  it.each(valid)("may be %s: %s", (_, address) => {
    expect(isAddress(address)).toBe(true)
  })

  it.each(invalid)("is not %s: %j", (_, address) => {
    expect(isAddress(address)).toBe(false)
  })

  it("is parsed fast, also if it is hostile", () => {
    expect(isAddress(`${"a.".repeat(500_000)}@${"a.".repeat(500_000)}`)).toBe(false)
  })
})

describe("two addresses", () => {
  it.each([
    ["full-width letters before the @", "ａｎｎ@mail.test"],
    ["full-width letters and dots after it", "ann@ｍａｉｌ．ｔｅｓｔ"],
    ["an ideographic full stop", "ann@mail。test"],
    ["a raised letter", "ªnn@mail.test"],
    ["mathematical letters", "𝒶𝓃𝓃@𝓂𝒶𝒾𝓁.test"],
    ["a variation selector", "ann\ufe0f@mail.test"],
    ["a Hangul filler", "a\u3164nn@mail.test"],
    ["full-width capitals", "ＡＮＮ@ＭＡＩＬ.test"]
  ])("are equal with %s: %s", (_, address) => {
    expect(key(address)).toBe("ann@mail.test")
  })

  it("are equal whether the host is in its own script or in ASCII", () => {
    expect(key("ann@MÜNCHEN.test")).toBe(key("ann@xn--mnchen-3ya.test"))
  })

  it("are equal in upper-case letters that several lower-case letters share", () => {
    expect(key("strasse@mail.test")).toBe(key("straße@mail.test"))
    expect(key("STRAẞE@mail.test")).toBe(key("straße@mail.test"))
    expect(key("σοφός@mail.test")).toBe(key("ΣΟΦΌΣ@mail.test"))
  })

  it("are equal in a host that was stored under older rules, in upper and lower case", () => {
    const older = EmailAddress.make("Ann@Old_Mail.test", { disableValidation: true })
    expect(uniquenessKey(older)).toBe("ann@old_mail.test")
  })

  it("differ in hosts that DNS distinguishes", () => {
    expect(key("ann@strasse.test")).not.toBe(key("ann@straße.test"))
  })

  it("are equal in upper and lower case", () => {
    expect(key("Ann.Smith@MAIL.test")).toBe(key("ann.smith@mail.TEST"))
  })

  it("are equal whether their characters are composed or not", () => {
    expect(key("ren\u00e9@mail.test")).toBe(key("rene\u0301@mail.test"))
  })

  it("are equal if only the lower-case letter has a composed form", () => {
    expect(key("J\u030c@mail.test")).toBe(key("\u01f0@mail.test"))
  })

  it("differ if more than the case differs", () => {
    expect(key("ann+news@mail.test")).not.toBe(key("ann@mail.test"))
    expect(key("ann.smith@mail.test")).not.toBe(key("annsmith@mail.test"))
    expect(key("rené@mail.test")).not.toBe(key("rene@mail.test"))
  })

  it.prop(
    "are equal in every equivalent form and in either case",
    {
      localPart: FastCheck.string({ unit: anyCodePoint, minLength: 1, maxLength: 8 })
        .filter((text) => isAddress(`${text}@mail.test`))
    },
    ({ localPart }) => {
      const forms = [
        ...["NFC", "NFD", "NFKC", "NFKD"].map((form) => localPart.normalize(form)),
        localPart.toLowerCase(),
        localPart.toUpperCase()
      ].map((form) => `${form}@mail.test`)
      const addresses = forms.filter(isAddress)
      expect(addresses.map(key)).toEqual(addresses.map(() => key(`${localPart}@mail.test`)))
    }
  )

  it.prop(
    "have a key that is an address with the same key",
    {
      address: FastCheck.tuple(
        FastCheck.string({ unit: FastCheck.constantFrom(..."aBzÉñǰÅİßΩςⅷ①ﬀ"), minLength: 1, maxLength: 8 }),
        FastCheck.string({ unit: FastCheck.constantFrom(..."aBzÉñǰÅßΩςⅷ①ﬀ"), minLength: 1, maxLength: 8 })
      ).map(([localPart, label]) => `${localPart}@${label}.test`).filter(isAddress)
    },
    ({ address }) => {
      expect(key(key(address))).toBe(key(address))
    }
  )
})
