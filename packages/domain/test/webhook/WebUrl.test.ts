import { describe, expect, it } from "@effect/vitest"
import { FastCheck, Option } from "effect"
import * as WebUrl from "../../src/webhook/WebUrl.ts"
import { thirdPartyText } from "./ThirdPartyText.ts"

describe("a URL by a third party", () => {
  it.each([
    "https://code.example/octo/repo/pull/2#pullrequestreview-237895671",
    "http://localhost:8080/a?b=c&d=%20#e",
    "https://192.168.0.1/",
    "https://a.example:65535/",
    `https://a.example/${"a".repeat(2030)}`,
    "https://my_host.example",
    "https://code.example/octo/repo/compare/a^...b".replace("^", "%5E")
  ])("stays unchanged if it is well-formed: %s", (url) => {
    expect(WebUrl.fromText(url)).toStrictEqual(Option.some(url))
  })

  it.each([
    ["https://code.example/a b", "https://code.example/a%20b"],
    ["https://code.example/a^...b", "https://code.example/a%5E...b"],
    ["https://code.example/é", "https://code.example/%C3%A9"],
    ["https://code.example/\u212a\u017f", "https://code.example/%E2%84%AA%C5%BF"],
    ["https://code.example/100%", "https://code.example/100%25"],
    ["https://code.example/<a>\"`{|}\\[]", "https://code.example/%3Ca%3E%22%60%7B%7C%7D%5C%5B%5D"],
    ["https://code.example/\ud800", "https://code.example/%EF%BF%BD"],
    ["  https://code.example/  ", "https://code.example/"]
  ])("has characters encoded that a URL cannot contain: %s", (text, url) => {
    expect(WebUrl.fromText(text)).toStrictEqual(Option.some(url))
  })

  it.each([
    "",
    "example.com",
    "/relative",
    "//example.com",
    "javascript:alert(1)",
    "JavaScript://example.com/%0aalert(1)",
    "data:text/html,x",
    "ftp://example.com",
    "https:example.com",
    "https://",
    "https:///path",
    "https://a..b",
    "https://-a.example",
    "https://a-.example",
    "https://a.example:port",
    "https://a.example:65536",
    "https://user@a.example",
    "https://trusted.example\\@evil.example",
    "https://a b.example",
    "https://a.example/\nb",
    "https://a.example/\u0000",
    "https://bücher.example",
    `https://a.example/${"a".repeat(2031)}`,
    `https://a.example/${"é".repeat(1000)}`
  ])("is rejected: %s", (text) => {
    expect(WebUrl.fromText(text)).toStrictEqual(Option.none())
  })

  it.prop("is ASCII without white space, quotes and brackets, or none", [thirdPartyText], ([text]) => {
    for (const url of Option.toArray(WebUrl.fromText(`https://a.example/${text}`))) {
      expect(url).toMatch(/^https:\/\/a\.example\/[\w\-.~:/?#@!$&'()*+,;=%]*$/)
    }
  })

  it.prop("stays the same when it is parsed again", [thirdPartyText], ([text]) => {
    for (const url of Option.toArray(WebUrl.fromText(`https://a.example/${text}`))) {
      expect(WebUrl.fromText(url)).toStrictEqual(Option.some(url))
    }
  })
})

describe("a page below another one", () => {
  const base = Option.getOrThrow(WebUrl.fromText("https://code.example/octo/repo/"))

  it("has its path appended", () => {
    expect(WebUrl.appendPath(base, "tree/feature/x")).toStrictEqual(
      Option.some("https://code.example/octo/repo/tree/feature/x")
    )
  })

  it("has characters encoded that would end the path", () => {
    expect(WebUrl.appendPath(base, "tree/a?b#c d")).toStrictEqual(
      Option.some("https://code.example/octo/repo/tree/a%3Fb%23c%20d")
    )
  })

  it.prop("is on the same host", [FastCheck.oneof(thirdPartyText, FastCheck.string())], ([path]) => {
    for (const url of Option.toArray(WebUrl.appendPath(base, path))) {
      expect(url).toMatch(/^https:\/\/code\.example\/octo\/repo\//)
    }
  })
})
