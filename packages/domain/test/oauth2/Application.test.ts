import { describe, expect, it } from "@effect/vitest"
import { Schema } from "effect"
import { RedirectUri } from "../../src/oauth2/Application.ts"

const isRedirectUri = Schema.is(RedirectUri)

describe("the redirect URI of an application", () => {
  it.each([
    "https://app.test/callback",
    "https://app.test/callback?source=chat",
    "http://127.0.0.1:8080/",
    "test.app:/callback",
    "HTTPS://APP.TEST"
  ])("may be %s", (uri) => {
    expect(isRedirectUri(uri)).toBe(true)
  })

  it.each([
    ["relative", "/callback"],
    ["without a scheme", "app.test/callback"],
    ["with a fragment, into which the code would fall", "https://app.test/#callback"],
    ["with white space", "https://app.test/call back"],
    ["a scheme alone", "https:"],
    ["nothing", ""]
  ])("is not %s", (_, uri) => {
    expect(isRedirectUri(uri)).toBe(false)
  })
})
