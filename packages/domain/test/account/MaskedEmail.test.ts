import { describe, expect, it } from "@effect/vitest"
import { EmailAddress, maskEmail } from "../../src/account/EmailAddress.ts"

describe("an e-mail address in an audit record", () => {
  it.each([
    ["annabel-the-great@mail.test", "a***@***.test"],
    ["a@mail.co.uk", "a***@***.uk"],
    ["𝒳ann@mail.test", "𝒳***@***.test"],
    ["山田@例子.广告", "山***@***.广告"],
    ["ann.smith@例子。广告", "a***@***.广告"],
    ["ann.smith@mail．example", "a***@***.example"]
  ])("is masked: %s", (email, masked) => {
    expect(maskEmail(EmailAddress.make(email))).toBe(masked)
  })
})
