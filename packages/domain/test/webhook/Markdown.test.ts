import { describe, expect, it } from "@effect/vitest"
import { FastCheck, Option } from "effect"
import { codePointLength } from "../../src/shared-kernel/CodePointLength.ts"
import * as Markdown from "../../src/webhook/Markdown.ts"
import * as WebUrl from "../../src/webhook/WebUrl.ts"
import { RENDERERS } from "./ChatRenderers.ts"
import { longThirdPartyText, thirdPartyText } from "./ThirdPartyText.ts"

const ZERO_WIDTH_SPACE = "\u200b"
const maximum = FastCheck.integer({ min: 16, max: 4096 })

/** The visible text on one line: without invisible characters, and without the break in a mention of everybody. */
const look = (text: string): string =>
  text
    .replace(/\p{Surrogate}/gu, "\ufffd")
    .replace(/[\u200b\p{Bidi_Control}]|(?!\s|\u0085)\p{Cc}/gu, "")
    .replace(/[\s\u0085]+/g, " ")
    .replaceAll("%40", "@")
    .trim()

describe("a line of third-party text", () => {
  it.prop("is shown as it was written, without links, markup and code", [thirdPartyText], ([text]) => {
    for (const [name, render] of Object.entries(RENDERERS)) {
      const { code, links, markup, shown } = render(Markdown.line(text, 10_000))
      expect({ name, code, links, markup, shown: look(shown) })
        .toEqual({ name, code: [], links: [], markup: [], shown: look(text) })
    }
  })

  it.prop("mentions no user", [thirdPartyText], ([text]) => {
    expect(Markdown.line(text, 10_000)).not.toMatch(/@(everyone|here)/i)
  })

  it.prop("is one line", [thirdPartyText], ([text]) => {
    expect(Markdown.line(text, 10_000)).not.toMatch(/[\n\r]/)
  })

  it.prop("is never longer than allowed", [longThirdPartyText, maximum], ([text, most]) => {
    expect(codePointLength(Markdown.line(text, most))).toBeLessThanOrEqual(most)
  })

  it.prop(
    "has no markup where it is cut",
    [longThirdPartyText, FastCheck.integer({ min: 16, max: 256 })],
    ([text, most]) => {
      for (const render of Object.values(RENDERERS)) {
        expect(render(Markdown.line(text, most))).toMatchObject({ code: [], links: [], markup: [] })
      }
    }
  )

  it("stays unchanged if it has no markup", () => {
    expect(Markdown.line("Fix #12: don't retry (again) at 100% - v1.2.3!", 256))
      .toBe("Fix #12: don't retry (again) at 100% - v1.2.3!")
  })

  it("fills the whole room when it is cut", () => {
    expect(codePointLength(Markdown.line("*".repeat(1000), 100))).toBeGreaterThan(95)
  })

  it("ends in an ellipsis where it is cut", () => {
    expect(Markdown.line("a".repeat(100), 20)).toBe(`${"a".repeat(19)}…`)
  })

  it("is not cut within an escape", () => {
    expect(Markdown.line("_".repeat(100), 20)).toBe(`${"\\_".repeat(9)}…`)
  })

  it.each([
    ["[text](https://evil.example)", "\\[text\\]\\(https\\://evil.example)"],
    ["see https://example.com/a_b", "see https\\://example.com/a\\_b"],
    ["**bold** and __init__", "\\*\\*bold\\*\\* and \\_\\_init\\_\\_"],
    ["||spoiler||", "\\|\\|spoiler\\|\\|"],
    ["`code`", "\\`code\\`"],
    ["<@1> <@&2> <#3> <:e:4> <t:0:R>", "\\<@1\\> \\<@&2\\> \\<#3\\> \\<:e:4\\> \\<t:0:R\\>"],
    ["@everyone and @here", `@${ZERO_WIDTH_SPACE}everyone and @${ZERO_WIDTH_SPACE}here`],
    ["# Heading", "\\# Heading"],
    ["-# small print", "\\-\\# small print"],
    ["- item", "\\- item"],
    ["1. item", "1\\. item"],
    ["&lt;", "\\&lt;"],
    ["> quote", "\\> quote"],
    ["steam://run/1", "steam\\://run/1"],
    ["a\\", "a\\\\"]
  ])("shows %s as it is", (text, expected) => {
    expect(Markdown.line(text, 256)).toBe(expected)
  })

  it("loses characters that reorder the text around them", () => {
    expect(Markdown.line("abc\u202edef\u2066", 256)).toBe("abcdef")
    expect(Markdown.line("limit:\u200f 5 > 3\u200e\u061c", 256)).toBe("limit: 5 \\> 3")
  })
})

describe("lines of third-party text", () => {
  it.prop("have no links, markup and code", [thirdPartyText], ([text]) => {
    for (const [name, render] of Object.entries(RENDERERS)) {
      const { code, links, markup } = render(Markdown.lines(text, 10_000))
      expect({ name, code, links, markup }).toEqual({ name, code: [], links: [], markup: [] })
    }
  })

  it("keep their line breaks", () => {
    expect(Markdown.lines("a  *b*\n\n\n\n    # c", 256)).toBe("a \\*b\\*\n\n\\# c")
  })
})

describe("code", () => {
  it.prop("is a code span, or text without markup", [thirdPartyText, maximum], ([text, most]) => {
    const isCode = Markdown.canBeCode(Markdown.unformatted(text, most - 2))
    for (const render of Object.values(RENDERERS)) {
      const { code, links, markup } = render(Markdown.code(text, most))
      expect({ code: code.length, links, markup }).toEqual({ code: isCode ? 1 : 0, links: [], markup: [] })
    }
  })

  it.prop("mentions no user", [thirdPartyText], ([text]) => {
    expect(Markdown.code(text, 256)).not.toMatch(/@(everyone|here)/i)
  })

  it.prop("is never longer than allowed", [longThirdPartyText, maximum], ([text, most]) => {
    expect(codePointLength(Markdown.code(text, most))).toBeLessThanOrEqual(most)
  })

  it("is plain text if it has backticks", () => {
    expect(Markdown.code("a`b", 256)).toBe("a\\`b")
  })

  it("is plain text if it could end a link", () => {
    expect(Markdown.code("a](b)", 256)).toBe("a\\]\\(b)")
  })
})

describe("unformatted text", () => {
  it("has no escapes", () => {
    expect(Markdown.unformatted("dependabot[bot]", 256)).toBe("dependabot[bot]")
  })

  it.prop("mentions no user", [thirdPartyText], ([text]) => {
    expect(Markdown.unformatted(text, 256)).not.toMatch(/@(everyone|here)/i)
  })
})

describe("a link", () => {
  it.prop("ends where its URL ends", [thirdPartyText], ([path]) => {
    const url = Option.getOrThrow(WebUrl.fromText("https://example.com/(a)"))
    const link = Markdown.link(Markdown.line("page", 256), Option.getOrElse(WebUrl.appendPath(url, path), () => url))
    for (const render of Object.values(RENDERERS)) {
      const { links, markup, shown } = render(link)
      expect({ links: links.length, markup, shown }).toEqual({ links: 1, markup: [], shown: "page" })
    }
  })

  it.each([
    ["https://example.com/?a=1&copy;=2", "https://example.com/?a=1&copy%3B=2"],
    ["https://example.com/*a*", "https://example.com/%2Aa%2A"],
    ["https://example.com/@everyone", "https://example.com/%40everyone"]
  ])("encodes characters that a renderer would read as markup: %s", (url, expected) => {
    expect(Markdown.address(Option.getOrThrow(WebUrl.fromText(url)))).toBe(`<${expected}>`)
  })
})
