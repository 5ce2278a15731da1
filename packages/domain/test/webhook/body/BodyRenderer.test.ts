import { describe, expect, it } from "@effect/vitest"
import { renderBody } from "../../../src/webhook/body/BodyRenderer.ts"
import * as WebUrl from "../../../src/webhook/WebUrl.ts"
import { longThirdPartyText } from "../ThirdPartyText.ts"
import { DEPENDABOT_BODY } from "./Dependabot.ts"

const PAGE = WebUrl.fromText("https://code.example/octo-org/octo-repo/pull/8")
const MORE = "… [and more](https://code.example/octo-org/octo-repo/pull/8)"

const rendered = (source: string): string => renderBody(source, PAGE)

describe("the body of an issue, a comment or the like", () => {
  it.each([
    ["text", "It *breaks* on **Tuesdays**, __really__", "It *breaks* on **Tuesdays**, **really**"],
    ["emphasis within emphasis", "**a *b* c**", "**a b c**"],
    ["strong emphasis within emphasis", "*a **b** c*", "*a b c*"],
    ["strong emphasis at the end of emphasis", "*a **b***", "*a b*"],
    ["emphasis that nothing closes", "2 * 3 and **more", "2 \\* 3 and \\*\\*more"],
    ["words with underscores", "call snake_case_name", "call snake\\_case\\_name"],
    ["code", "call `run()` and ``a`b``", "call `run()` and a\\`b"],
    ["a link", "see [the docs](https://docs.example/a \"Docs\")", "see [the docs](https://docs.example/a)"],
    ["a reference link", "see [the docs][1]\n\n[1]: https://docs.example/a", "see [the docs](https://docs.example/a)"],
    ["a link that claims to lead elsewhere", "[bank.example](https://evil.example)", "<https://evil.example>"],
    ["the same with an invisible character", "[bank\u200b.example](https://evil.example)", "<https://evil.example>"],
    ["the same with a soft hyphen", "[ba\u00adnk.example](https://evil.example)", "<https://evil.example>"],
    ["the same with wide letters", "[ｂａｎｋ．ｅｘａｍｐｌｅ](https://evil.example)", "<https://evil.example>"],
    ["the same with an ideographic dot", "[bank。example](https://evil.example)", "<https://evil.example>"],
    ["the same with letters of another script", "[bаnk.example](https://evil.example)", "<https://evil.example>"],
    ["the same behind a symbol", "[🔒 bank.example](https://evil.example)", "<https://evil.example>"],
    ["the same in parentheses", "[(bank.example)](https://evil.example)", "<https://evil.example>"],
    ["the same with a point", "[bank.example.](https://evil.example)", "<https://evil.example>"],
    [
      "a link that claims to lead elsewhere among its words",
      "[Log in at bank.example](https://evil.example)",
      "Log in at bank.example <https://evil.example>"
    ],
    ["a link that leads nowhere", "[click](javascript:alert(1)) me", "click me"],
    ["a URL", "see https://docs.example/a_b.", "see <https://docs.example/a_b>."],
    ["an image", "![A screen](https://img.example/1.png)", "[A screen](https://img.example/1.png)"],
    ["a badge", "[![build](https://img.example/b.svg)](https://ci.example) Fast", "Fast"],
    ["a heading", "## Steps\nFirst", "**Steps**\n\nFirst"],
    ["a heading that is closed", "## Steps ##\nFirst", "**Steps**\n\nFirst"],
    ["a tag of a channel, which is no heading", "#Steps #", "\\#Steps \\#"],
    ["an underlined heading", "Steps\n---\nFirst", "**Steps**\n\nFirst"],
    ["a list", "* a\n* b\n    * c\n\n1) d", "- a\n- b\n  - c\n1. d"],
    ["a list of tasks", "- [ ] open\n- [x] done", "- ☐ open\n- ☑ done"],
    ["a quote", "> a\n> b\n\nc", "> a\n> b\n\nc"],
    ["an alert", "> [!WARNING]\n> Mind the gap", "> Warning:\n> Mind the gap"],
    [
      "a code block",
      "Before\n```ts\nconst a = b * c * d\n```\nafter",
      "Before\n\n```ts\nconst a = b * c * d\n```\n\nafter"
    ],
    ["a code block with tildes", "~~~ ts title\na ~~~~ b\n~~~~", "```ts\na ~~~~ b\n```"],
    ["code on a line, which is no code block", "```a``` b", "`a` b"],
    ["a code block that its writer left open", "```\nconst a = 1", "```\nconst a = 1\n```"],
    ["a table", "| a | b |\n|---|:-:|\n| 1 | 2 |", "a \\| b\n1 \\| 2"],
    ["a comment", "<!-- Describe\nthe bug -->\nIt broke.<!-- really -->", "It broke."],
    ["a comment in code", "```html\n<!-- a -->\n```", "```html\n<!-- a -->\n```"],
    [
      "tags",
      "<p align=\"center\"><b>Hi</b>,<br>you &amp; <a href='https://a.example'>me</a></p>",
      "Hi,\nyou & [me](https://a.example)"
    ],
    [
      "rare tags",
      "a<wbr>b <ruby>漢<rp>(</rp><rt>kan</rt><rp>)</rp></ruby>, <dfn>c</dfn> <time>now</time> <bdo dir=\"ltr\">d</bdo>",
      "ab 漢(kan), c now d"
    ],
    [
      "a caption",
      "<figure><img src=\"https://img.example/1.png\" alt=\"A\"><figcaption>B</figcaption></figure>",
      "[A](https://img.example/1.png)\n\nB"
    ],
    ["tags that the host shows as text, too", "<script>a</script>", "\\<script\\>a\\</script\\>"],
    ["a type that looks like a tag", "List<String> & Map<K, V>", "List\\<String\\> & Map\\<K, V\\>"],
    [
      "a type with the name of a method",
      "<constructor> in <pre><constructor></pre>",
      "\\<constructor\\> in\n\n```\n<constructor>\n```"
    ],
    ["preformatted HTML", "<pre><code>a &lt; b</code></pre>", "```\na < b\n```"],
    ["blank lines", "a\n\n\n\nb", "a\n\nb"],
    ["escapes", "\\*a\\* \\[b\\]", "\\*a\\* \\[b\\]"]
  ])("keeps what all chats show in the same way: %s", (_, source, expected) => {
    expect(rendered(source)).toBe(expected)
  })

  it("is short and readable if Dependabot wrote it", () => {
    expect(rendered(DEPENDABOT_BODY)).toBe([
      "Bumps [lodash](https://github.com/lodash/lodash) from 4.17.20 to 4.17.21.",
      "▸ Release notes",
      "▸ Commits",
      "Dependabot will resolve any conflicts with this PR as long as you don't alter it yourself. " +
      "You can also trigger a rebase manually by commenting `@dependabot rebase`.",
      "▸ Dependabot commands and options",
      MORE
    ].join("\n\n"))
  })

  it.prop("mentions no user", [longThirdPartyText], ([text]) => {
    expect(rendered(text)).not.toMatch(/@(everyone|here)/i)
  })

  it.each([
    ["headings", "#"],
    ["backticks", "`"],
    ["lines of backticks", "a`\n"],
    ["fences", "```a"],
    ["lines of fences", "```\n~~~\n"],
    ["comments", "<!--"],
    ["tags", "<a href="],
    ["sections", "<details>"],
    ["links", "[a]("],
    ["opening brackets", "["],
    ["images in links", "[![a](b)"],
    ["closing brackets", ")"],
    ["stars", "**a **"],
    ["single stars", "*a"],
    ["underscores", "_"],
    ["quotes", "> "],
    ["lists", "- "],
    ["numbers", "1. "],
    ["tables", "|-"],
    ["entities", "&#x"],
    ["escapes", "\\"],
    ["definitions", "[a]: b\n"],
    ["URLs", "https://"],
    ["parentheses", "https://a.example/("],
    ["spaces", " "],
    ["line breaks", "\n"]
  ])("takes little time, even if it contains only %s", (_, piece) => {
    const pieces = piece.repeat(1_000_000 / piece.length)
    // Alone, and as the end of an address.
    for (const source of [pieces, `https://a${pieces}`]) {
      rendered(source)
      const before = process.cpuUsage()
      rendered(source)
      const { user } = process.cpuUsage(before)
      expect(user / 1000).toBeLessThan(50)
    }
  })

  const many = (piece: string) => piece.repeat(8000)

  it.each([
    ["tildes before a backtick", `${many("~")}\``],
    ["spaces after a fence", `~~~${many(" ")}\``],
    ["spaces in a heading", `# a${many(" ")}b`],
    ["spaces in a code block", `~~~\na${many(" ")}b\n~~~`],
    ["spaces in the target of a link", `[a](${many(" ")}b c)`],
    ["punctuation in a URL", `https://a.example/${many("!")}a`],
    ["letters in the texts of links", `[${"a".repeat(980)}](https://a.example)`.repeat(8)],
    ["points in the texts of links", `[${"a.".repeat(490)}](https://a.example)`.repeat(8)],
    ["underscores in the texts of links", `[a.a${"_".repeat(970)}a](https://a.example)`.repeat(8)],
    [
      "letters behind each point in the texts of links",
      `[${`a.${"b".repeat(100)}1`.repeat(9)}](https://a.example)`.repeat(8)
    ],
    ["names of files in the texts of links", `[${"a.ts ".repeat(190)}](https://a.example)`.repeat(8)],
    ["letters that stand for many in the texts of links", `[${"\ufdfa".repeat(980)}](https://a.example)`.repeat(8)]
  ])("takes little time, even if one of its lines has thousands of %s", (_, source) => {
    const before = process.cpuUsage()
    rendered(source)
    const { user } = process.cpuUsage(before)
    expect(user / 1000).toBeLessThan(50)
  })
})
