import { describe, expect, it } from "@effect/vitest"
import { FastCheck, Option } from "effect"
import { codePointLength } from "../../src/shared-kernel/CodePointLength.ts"
import * as Markdown from "../../src/webhook/Markdown.ts"
import * as WebUrl from "../../src/webhook/WebUrl.ts"
import { read } from "./Markup.ts"
import { longThirdPartyText, thirdPartyText } from "./ThirdPartyText.ts"

const ZERO_WIDTH_SPACE = "\u200b"
const maximum = FastCheck.integer({ min: 16, max: 4096 })

/** A text as it looks on one line: what is invisible does not count, a mention of everybody is told by its look. */
const look = (text: string): string =>
  text
    .replace(/\p{Surrogate}/gu, "\ufffd")
    .replace(/[\u200b\u202a-\u202e\u2066-\u2069]|(?!\s|\u0085)\p{Cc}/gu, "")
    .replace(/[\s\u0085]+/g, " ")
    .replaceAll("%40", "@")
    .trim()

describe("a line of third-party text", () => {
  it.prop("shows the text as it was written", [thirdPartyText], ([text]) => {
    expect(look(read(Markdown.line(text, 10_000)).shown)).toBe(look(text))
  })

  it.prop("has no markup but URLs", [thirdPartyText], ([text]) => {
    expect(read(Markdown.line(text, 10_000)).markup).toEqual([])
  })

  it.prop("links to http and https only", [thirdPartyText], ([text]) => {
    for (const link of read(Markdown.line(text, 10_000)).links) expect(link).toMatch(/^https?:\/\//i)
  })

  it.prop("mentions nobody", [thirdPartyText], ([text]) => {
    expect(Markdown.line(text, 10_000)).not.toMatch(/@(everyone|here)/i)
  })

  it.prop("is one line", [thirdPartyText], ([text]) => {
    expect(Markdown.line(text, 10_000)).not.toMatch(/[\n\r]/)
  })

  it.prop("is never longer than allowed", [longThirdPartyText, maximum], ([text, most]) => {
    expect(codePointLength(Markdown.line(text, most))).toBeLessThanOrEqual(most)
  })

  it.prop("has no markup where it is cut", [longThirdPartyText, maximum], ([text, most]) => {
    expect(read(Markdown.line(text, most)).markup).toEqual([])
  })

  it("is left alone where it has no markup", () => {
    expect(Markdown.line("Fix #12: don't retry (again) at 100% - v1.2.3!", 256))
      .toBe("Fix #12: don't retry (again) at 100% - v1.2.3!")
  })

  it("fills the room there is when it is cut", () => {
    expect(codePointLength(Markdown.line("*".repeat(1000), 100))).toBeGreaterThan(95)
  })

  it("ends in an ellipsis where it is cut", () => {
    expect(Markdown.line("a".repeat(100), 20)).toBe(`${"a".repeat(19)}…`)
  })

  it("is not cut within a character", () => {
    expect(Markdown.line("😀".repeat(100), 20)).toBe(`${"😀".repeat(19)}…`)
  })

  it("is not cut within an escape", () => {
    expect(Markdown.line("_".repeat(100), 20)).toBe(`${"\\_".repeat(9)}…`)
  })

  it.each([
    ["[text](https://evil.example)", "\\[text\\](<https://evil.example>)"],
    ["**bold** and __init__", "\\*\\*bold\\*\\* and \\_\\_init\\_\\_"],
    ["||spoiler||", "\\|\\|spoiler\\|\\|"],
    ["`code`", "\\`code\\`"],
    ["<@1> <@&2> <#3> <:e:4> <t:0:R>", "\\<@1\\> \\<@&2\\> \\<#3\\> \\<:e:4\\> \\<t:0:R\\>"],
    ["@everyone and @here", `@${ZERO_WIDTH_SPACE}everyone and @${ZERO_WIDTH_SPACE}here`],
    ["# Heading", "\\# Heading"],
    ["-# small print", "-\\# small print"],
    ["> quote", "\\> quote"],
    ["steam://run/1", "steam\\://run/1"],
    ["a\\", "a\\\\"]
  ])("shows %s as it is", (text, expected) => {
    expect(Markdown.line(text, 256)).toBe(expected)
  })

  it.each([
    ["see https://example.com/a_b_c.", "see https://example.com/a_b_c."],
    ["**https://example.com/**", "\\*\\*<https://example.com/>\\*\\*"],
    ["(https://example.com/)", "(<https://example.com/>)"],
    ["https://en.example.org/wiki/A_(b)", "https://en.example.org/wiki/A_(b)"],
    ["https://example.com/@everyone", "https://example.com/%40everyone"]
  ])("keeps the URL in %s", (text, expected) => {
    expect(Markdown.line(text, 256)).toBe(expected)
  })

  it("loses what would reorder the text around it", () => {
    expect(Markdown.line("abc\u202edef\u2066", 256)).toBe("abcdef")
  })
})

describe("the label of a link", () => {
  it.prop("shows the text as it was written", [thirdPartyText], ([text]) => {
    expect(look(read(Markdown.label(text, 10_000)).shown)).toBe(look(text))
  })

  it.prop("has no markup and no link of its own", [thirdPartyText], ([text]) => {
    expect(read(Markdown.label(text, 10_000))).toMatchObject({ markup: [], links: [] })
  })
})

describe("a block of third-party text", () => {
  it.prop("has no markup but code and URLs", [thirdPartyText], ([text]) => {
    const markup = read(Markdown.block(text, 10_000)).markup.filter((each) => each !== "code" && each !== "code block")
    expect(markup).toEqual([])
  })

  it.prop("mentions nobody", [thirdPartyText], ([text]) => {
    expect(Markdown.block(text, 10_000)).not.toMatch(/@(everyone|here)/i)
  })

  it.prop("is never longer than allowed", [longThirdPartyText, maximum], ([text, most]) => {
    expect(codePointLength(Markdown.block(text, most))).toBeLessThanOrEqual(most)
  })

  it.prop("has no markup but code and URLs where it is cut", [longThirdPartyText, maximum], ([text, most]) => {
    const markup = read(Markdown.block(text, most)).markup.filter((each) => each !== "code" && each !== "code block")
    expect(markup).toEqual([])
  })

  it("keeps code on a line", () => {
    expect(Markdown.block("call `a_b()` *now*", 256)).toBe("call `a_b()` \\*now\\*")
  })

  it("keeps blocks of code", () => {
    expect(Markdown.block("Before\n```ts\nconst a = b * c * d\n```\nafter", 256))
      .toBe("Before\n```ts\nconst a = b * c * d\n```\nafter")
  })

  it("closes a block of code that its writer left open", () => {
    expect(Markdown.block("```\nconst a = 1", 256)).toBe("```\nconst a = 1\n```")
  })

  it("closes a block of code that is cut", () => {
    expect(Markdown.block(`\`\`\`\n${"a".repeat(100)}\n\`\`\``, 40)).toMatch(/^```\na+…\n```$/)
  })

  it("does not let code end its block early", () => {
    expect(read(Markdown.block("~~~\na ``` @everyone **b**\n~~~", 256)).markup).toEqual(["code block"])
  })

  it.each(["`@everyone`", "```\n@everyone\n```"])("mentions nobody in code: %s", (text) => {
    expect(Markdown.block(text, 256)).toContain(`@${ZERO_WIDTH_SPACE}everyone`)
  })

  it("leaves out HTML comments", () => {
    expect(Markdown.block("<!-- Describe\nthe bug -->\nIt broke.<!-- really -->", 256)).toBe("It broke.")
  })

  it("keeps HTML comments in code", () => {
    expect(Markdown.block("```html\n<!-- a -->\n```", 256)).toBe("```html\n<!-- a -->\n```")
  })

  it("shows one blank line for many", () => {
    expect(Markdown.block("a\n\n\n\nb", 256)).toBe("a\n\nb")
  })

  it.each([
    ["headings", "#"],
    ["backticks", "`"],
    ["lines of backticks", "a`\n"],
    ["fences", "```a"],
    ["comments", "<!--"],
    ["links", "[a]("],
    ["closing brackets", ")"],
    ["URLs", "https://"],
    ["line breaks", "\n"]
  ])("is ready in time with a text of nothing but %s", (_, piece) => {
    expect(codePointLength(Markdown.block(`https://a${piece.repeat(1_000_000)}`, 4096))).toBeLessThanOrEqual(4096)
  }, 20_000)
})

describe("code", () => {
  it.prop("is a code span, or text without markup", [thirdPartyText, maximum], ([text, most]) => {
    expect([[], ["code"]]).toContainEqual(read(Markdown.code(text, most)).markup)
  })

  it.prop("mentions nobody", [thirdPartyText], ([text]) => {
    expect(Markdown.code(text, 256)).not.toMatch(/@(everyone|here)/i)
  })

  it.prop("is never longer than allowed", [longThirdPartyText, maximum], ([text, most]) => {
    expect(codePointLength(Markdown.code(text, most))).toBeLessThanOrEqual(most)
  })

  it("is plain text where it has backticks", () => {
    expect(Markdown.code("a`b", 256)).toBe("a\\`b")
  })
})

describe("unformatted text", () => {
  it("has no escapes", () => {
    expect(Markdown.unformatted("dependabot[bot]", 256)).toBe("dependabot[bot]")
  })

  it.prop("mentions nobody", [thirdPartyText], ([text]) => {
    expect(Markdown.unformatted(text, 256)).not.toMatch(/@(everyone|here)/i)
  })
})

describe("a link", () => {
  it.prop("ends where its URL ends", [thirdPartyText, thirdPartyText], ([says, path]) => {
    const url = Option.getOrThrow(WebUrl.fromText("https://example.com/(a)"))
    const link = Markdown.link(
      Markdown.label(`x${says}`, 256),
      Option.getOrElse(WebUrl.appendPath(url, path), () => url)
    )
    expect(read(link).markup).toEqual(["masked link"])
  })
})
