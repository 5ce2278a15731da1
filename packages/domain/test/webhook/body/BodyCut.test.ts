import { describe, expect, it } from "@effect/vitest"
import { Option } from "effect"
import { MAX_READ } from "../../../src/webhook/body/BodyReader.ts"
import { MAX_BODY_LENGTH, renderBody } from "../../../src/webhook/body/BodyRenderer.ts"
import { type Markdown, shownLength } from "../../../src/webhook/Markdown.ts"
import * as WebUrl from "../../../src/webhook/WebUrl.ts"

const MORE = "… [and more](https://code.example/1)"

const rendered = (source: string, page = "https://code.example/1"): Markdown =>
  renderBody(source, WebUrl.fromText(page))

/** The maximum number of free characters in a body that is cut: fewer than a block, or the longest piece here, needs. */
const MOST_FREE = 36

const WORDS = "word ".repeat(200)

describe("a body that is too long", () => {
  it.each([
    ["words", WORDS],
    ["words of Chinese", "日".repeat(600)],
    ["words to escape", "* word ".repeat(200)],
    ["bold words", "**word** ".repeat(200)],
    ["code", "`word` ".repeat(200)],
    ["links", "[word](https://a.example) ".repeat(100)],
    ["addresses", "https://a.example ".repeat(100)],
    ["paragraphs", "\n\nword".repeat(200)],
    ["headings", "\n\n# word".repeat(200)],
    ["items", "\n- word".repeat(200)],
    ["items with numbers", "\n12. word word".repeat(200)],
    ["items in items", "\n- a\n  - word".repeat(200)],
    ["a quote", "\n> word".repeat(200)],
    ["a quote of short lines", "\n> x".repeat(200)],
    ["a code block", `\n\`\`\`\n${"line of code\n".repeat(80)}\`\`\``]
  ])("is filled to its end, and links to the rest: %s", (_, piece) => {
    for (let before = 1; before <= 60; before += 1) {
      const text = rendered(`${"y".repeat(before)} ${piece}`)
      expect(text.endsWith(MORE)).toBe(true)
      const length = shownLength(text) - MORE.length
      // The link to the rest may be on a line of its own.
      expect(length).toBeLessThanOrEqual(MAX_BODY_LENGTH + 2)
      expect(length).toBeGreaterThanOrEqual(MAX_BODY_LENGTH - MOST_FREE)
    }
  })

  it("is one of 501 characters", () => {
    expect(rendered("x".repeat(500))).toBe("x".repeat(500))
    expect(rendered("x".repeat(501))).toBe(`${"x".repeat(500)}${MORE}`)
  })

  it("counts characters as they are shown, without the backslashes before them", () => {
    const words = `${"a_b".repeat(100)} ${"[x] ".repeat(49)}`.trim()
    expect(words.length).toBe(496)
    expect(rendered(words).replaceAll("\\", "")).toBe(words)
    expect(rendered("[".repeat(501))).toBe(`${"\\[".repeat(500)}${MORE}`)
  })

  it("is one that is not read to its end", () => {
    const comment = (length: number) => `a<!--${"x".repeat(length - "a<!---->".length)}-->`
    expect(rendered(comment(MAX_READ))).toBe("a")
    expect(rendered(comment(MAX_READ + 1))).toBe(`a\n\n${MORE}`)
  })

  it.each([
    ["a heading", `# ${WORDS}`, /^\*\*(?:word )+word\*\*… \[and/],
    ["an item", `- ${WORDS}`, /^- (?:word )+word… \[and/],
    ["a quote", `> ${WORDS}`, /^> (?:word )+word… \[and/],
    ["a word", `> ${"x".repeat(600)}`, /^> x{400,}… \[and/],
    ["emphasis", `**${"bold ".repeat(150)}x**`, /^(?:bold )+bold… \[and/],
    ["code", `\`${"x".repeat(600)}\``, /^x{400,}… \[and/],
    ["a link", `a [${"x ".repeat(250)}](https://a.example)`, /^a … \[and/],
    ["a link alone", `[a](https://a.example/${"x".repeat(600)})`, /^… \[and/],
    ["an address", `a https://a.example/${"x".repeat(600)}`, /^a … \[and/],
    ["an address alone", `https://a.example/${"x".repeat(600)}`, /^… \[and/],
    ["a line of code", `\`\`\`json\n${"x".repeat(600)}\n\`\`\``, /^```json\nx{488}\n```\n\n… \[and/],
    ["a line of code after text", `a\n\`\`\`\n${"x".repeat(600)}\n\`\`\``, /^a\n\n```\nx{489}\n```\n\n… \[and/],
    ["a line of code of emoji", `\`\`\`\n${"😀".repeat(600)}\n\`\`\``, /^```\n(?:😀){492}\n```\n\n… \[and/u],
    ["a line of code with mentions", `\`\`\`\n${"@everyone ".repeat(60)}\n\`\`\``, /^```\n(?:@\u200beveryone ?)+/]
  ])("closes or leaves out what is cut: %s", (_, source, expected) => {
    expect(rendered(source)).toMatch(expected)
  })

  it("links to the rest by a page's URL of any length", () => {
    const page = `https://a.example/${"x".repeat(2000)}`
    expect(rendered(WORDS, page)).toMatch(/^(?:word ){99}word… \[and more\]\(https:\/\/a\.example\/x{2000}\)$/)
  })

  it("has the ellipsis after its last word, or on a separate line after code", () => {
    expect(renderBody(`a\n\n\`\`\`\n${"b\n".repeat(400)}\`\`\``, Option.none())).toMatch(/^a\n\n```\n(?:b\n)+```\n\n…$/)
    expect(renderBody(WORDS, Option.none())).toMatch(/word…$/)
  })
})
