import { describe, expect, it } from "@effect/vitest"
import { Option } from "effect"
import { renderBody } from "../../../src/webhook/body/BodyRenderer.ts"

const rendered = (source: string): string => renderBody(source, Option.none())

describe("a link in a body", () => {
  it.each([
    ["shows its URL if its text is the URL", "[https://a.example](https://a.example/b)", "<https://a.example/b>"],
    [
      "shows its URL if its text begins with a host and a path",
      "[a.example/x now](https://b.example)",
      "<https://b.example>"
    ],
    [
      "shows its URL behind a text that has a host within",
      "[Read a.example now](https://b.example)",
      "Read a.example now <https://b.example>"
    ],
    ["shows its URL if its text is a host", "[docs.a.example](https://b.example)", "<https://b.example>"],
    [
      "shows its URL behind a text that begins with a host",
      "[a.example now](https://b.example)",
      "a.example now <https://b.example>"
    ],
    ["may have a title", "[a](https://a.example 'b')", "[a](https://a.example)"],
    ["may have spaces in its target", "[a](<https://a.example/b c.pdf>)", "[a](https://a.example/b%20c.pdf)"],
    ["may have spaces around its target", "[a]( https://a.example )", "[a](https://a.example)"],
    ["may have parentheses in its target", "[a](<https://a.example/(b)c>)", "[a](https://a.example/%28b%29c)"],
    ["has its target right behind it", "[a] (https://a.example)", "\\[a\\] (<https://a.example>)"],
    [
      "leaves out addresses among the words of its text",
      "[see https://a.example](https://b.example)",
      "[see](https://b.example)"
    ],
    [
      "leaves out images among the words of its text",
      "[![](https://a.example/1.png) text](https://a.example)",
      "[text](https://a.example)"
    ],
    ["has no brackets in its text", "[a \\] b [c]](https://a.example)", "[a ) b (c)](https://a.example)"],
    ["has a text of one line", "[a  \n b](https://a.example)", "[a b](https://a.example)"],
    ["is left out without a text", "[](https://a.example) b", "b"],
    ["is left out without a text and an address", "[]() b", "b"],
    ["has its text as its name", "[ Docs ][]\n\n[docs]: <https://a.example> \"title\"", "[Docs](https://a.example)"],
    ["may have a name alone", "see [Docs]\n\n[ DOCS ]: https://a.example", "see [Docs](https://a.example)"],
    ["is text if its name is not known", "[x][nope] y", "\\[x\\]\\[nope\\] y"],
    ["is text if it is not closed", "[a", "\\[a"],
    ["ends the text of the innermost bracket that is open", "[a [b](https://a.example)", "\\[a [b](https://a.example)"],
    [
      "keeps an address before it that ends with a bracket",
      "https://a.example/[<https://b.example>c](https://d.example)",
      "<https://a.example/%5B><https://b.example>c\\]\\(<https://d.example>)"
    ],
    ["is no image behind an exclamation mark", "Wow\\![a](https://a.example)", "Wow\\![a](https://a.example)"],
    [
      "behind an exclamation mark does not change the text before it",
      "2\\*3\\![a](https://a.example)",
      "2\\*3\\![a](https://a.example)"
    ],
    ["of an image without a text is called image", "![](https://a.example/1.png)", "[image](https://a.example/1.png)"],
    ["stays a link in bold text", "**[a](https://a.example)**", "[a](https://a.example)"]
  ])("%s", (_, source, expected) => {
    expect(rendered(source)).toBe(expected)
  })

  it.each([
    "bank.example\u2044login",
    "bank.example\u2215login",
    "bank.example\u29f8login",
    "bank.example\u2571login",
    "bank.example&#8260;login",
    "bank.example:8443",
    "https:\u2044\u2044bank.example\u2044x",
    "https\u02d0//bank.example",
    "bank\u0701example",
    "192.0.2.1/login",
    "192.0.2.1",
    "bank.xn--p1ai",
    "bank.xn--p1ai/login",
    "www.bank.md",
    "bank.md",
    "bank.md/login"
  ])("shows its URL alone if its text looks like an address to a reader: %s", (label) => {
    expect(rendered(`[${label}](https://b.example)`)).toBe("<https://b.example>")
  })

  it.each([
    "bank.example login",
    "Log in at 192.0.2.1 now",
    "security@bank.example",
    "Log in: bank.xn--p1ai, please",
    "Log in/bank.example",
    "Log in at bank.md",
    "Log in/bank.md/login",
    "README.md, bank.example",
    "bank.example-login"
  ])("shows its text and its URL if its text has an address among its words: %s", (label) => {
    expect(rendered(`[${label}](https://b.example)`)).toBe(`${label} <https://b.example>`)
  })

  it.each([
    "README.md",
    "Mend CONTRIBUTING.md, then docs/limits.md",
    "src/index.ts",
    "src/main.rs:12",
    "tsconfig.base.json",
    "octo-org/next.js",
    "Run on Node.js 20",
    "v1.2.3",
    "From 1.2.3 to 2.0.0-rc.1",
    "Chrome 120.0.6099.109",
    "Tools, e.g. linters",
    "Done. Thanks... really"
  ])("keeps an ordinary text: %s", (label) => {
    expect(rendered(`[${label}](https://b.example)`)).toBe(`[${label}](https://b.example)`)
  })

  it.each([
    ["https://a.example/(b)", "<https://a.example/%28b%29>"],
    ["(https://a.example/b)", "(<https://a.example/b>)"],
    ["https://a.example/b).", "<https://a.example/b>)."],
    ["https://a.example/b?!", "<https://a.example/b>?!"],
    ["HTTPS://A.example", "<HTTPS://A.example>"],
    ["<https://a.example>", "<https://a.example>"],
    ["<mailto:a@b.example>", "a@b.example"],
    ["xhttps://a.example", "xhttps\\://a.example"],
    ["https://", "https\\://"]
  ])("is made of an address, without the punctuation around it: %s", (source, expected) => {
    expect(rendered(source)).toBe(expected)
  })
})

describe("emphasis in a body", () => {
  it.each([
    ["*a*", "*a*"],
    ["_a_", "*a*"],
    ["**a**", "**a**"],
    ["__a__", "**a**"],
    ["***a***", "**a**"],
    ["~~a~~", "~~a~~"],
    ["a *b* c", "a *b* c"],
    ["*a*, b", "*a*, b"],
    ["*a\\* b*", "*a\\* b*"],
    ["Wow! *a*", "Wow! *a*"]
  ])("is kept: %s", (source, expected) => {
    expect(rendered(source)).toBe(expected)
  })

  it.each([
    ["touches a word", "*a*b", "ab"],
    ["touches a bracket before it", "(*a*)", "(a)"],
    ["touches a bracket behind it", "*a*(b)", "a(b)"],
    ["ends before a point within a word", "*a*.b", "a.b"],
    ["begins with punctuation", "*!a*", "!a"],
    ["ends with markup", "*a~*", "a\\~"],
    ["has two lines", "*a\nb*", "a\nb"],
    ["is around code", "*`a`*", "`a`"]
  ])("is left out, because not all chats show it, if it %s", (_, source, expected) => {
    expect(rendered(source)).toBe(expected)
  })

  it.each([
    ["a*b*", "a\\*b\\*"],
    ["_a_b", "\\_a\\_b"],
    ["*a *", "\\*a \\*"],
    ["~~a", "\\~\\~a"],
    ["- * a*", "- \\* a\\*"]
  ])("is plain text: %s", (source, expected) => {
    expect(rendered(source)).toBe(expected)
  })
})

describe("code in a body", () => {
  it.each([
    ["is on one line", "`a\n b`", "`a b`"],
    ["has no space around it", "` a `", "`a`"],
    ["is text if it has backticks", "``` `` ```", "\\`\\`"],
    ["is text if it has the end of a link", "`](`", "\\]\\("],
    ["is text if nothing closes it", "``a`", "\\`\\`a\\`"],
    ["has tags as they were written", "`<b>` x", "`<b>` x"],
    ["in a block has no blank lines around it", "```\n\n\na\n\n```", "```\na\n```"],
    ["in a block is indented from its fence on", "1. a\n   ```\n     b\n  c\n   ```", "1. a\n\n```\n  b\nc\n```"],
    ["in a block may be indented at its beginning", "```\n  a\n```", "```\n  a\n```"],
    ["in a block continues to a fence of its own length", "````\n```\na\n````", "```\n``\u200b`\na\n```"],
    ["in a block continues to a fence of its own kind", "~~~\na\n```\n~~~", "```\na\n``\u200b`\n```"],
    ["in a block continues beyond a fence with a language", "```\na\n``` x\n```", "```\na\n``\u200b` x\n```"],
    ["in a block does not begin like the underline of a heading", "```\n---\n\na\n```", "```\n\u200b---\n\na\n```"],
    ["in a block may begin with a line and text below it", "```\n---\na: 1\n---\n```", "```\n---\na: 1\n---\n```"],
    ["in a block ends at a longer fence, and at one before spaces", "~~~\na\n~~~~ \nb", "```\na\n```\n\nb"],
    ["is left out if it is empty", "a\n```\n```", "a"]
  ])("%s", (_, source, expected) => {
    expect(rendered(source)).toBe(expected)
  })
})

describe("a block of a body", () => {
  it.each([
    ["a heading that is indented a little", "   # x", "**x**"],
    ["a heading with emphasis is not bold as well", "# *a* b", "*a* b"],
    ["a heading that begins with punctuation is not bold", "# !a", "!a"],
    ["a heading that ends with markup is not bold", "# a_", "a\\_"],
    ["a heading that is a link stays one", "# [a](https://a.example)", "[a](https://a.example)"],
    ["a heading without a text is left out", "#\na", "a"],
    ["a line with too many number signs is text", "####### x", "\\####### x"],
    ["a line under nothing is text", "===", "\\==="],
    ["an underlined heading of two lines is one line", "a\nb\n---", "**a b**"],
    ["a line of spaces ends a paragraph", "a\n  \nb", "a\n\nb"],
    ["an item in an item may follow a blank line", "- a\n\n  - b", "- a\n  - b"],
    ["an item behind a paragraph is not nested", "- a\n\nb\n\n  - c", "- a\n\nb\n\n- c"],
    ["a rule is left out", "a\n\n- - -\n___\n***\nb", "a\n\nb"],
    ["a quote continues in a line without a mark", "> a\nb", "> a\n> b"],
    ["quotes with a blank line between them are two", "> a\n\n> b", "> a\n\n> b"],
    ["a quote in a quote is one", ">> a", "> a"],
    ["a mark of an alert with a text is text", "> [!NOTE] x", "> \\[!NOTE\\] x"],
    ["an item continues in the lines below it", "- a\n  b\nc", "- a b c"],
    ["an item ends at a blank line", "- a\n\n  b", "- a\n\nb"],
    ["an item in an item is nested once", "- a\n\t- b\n    - c", "- a\n  - b\n  - c"],
    ["an item that is indented by one is not nested", "- a\n - b", "- a\n- b"],
    ["items keep their numbers", "10. a\n11) b", "10. a\n11. b"],
    ["items follow text", "a\n+ b", "a\n\n- b"],
    ["an item without a text is left out", "-\n\na", "a"],
    ["a mark without a space makes no item", "-a", "\\-a"],
    ["a box without a space is text", "- [ ]a", "- \\[ \\]a"],
    ["a box may be ticked in capitals", "- [X] a", "- ☑ a"],
    ["a table needs no lines around it", "a | b\n--- | ---\n1 | 2", "a \\| b\n1 \\| 2"],
    ["a line around nothing but a word is left out", "| a |", "a"],
    ["a single line is text", "a |", "a \\|"],
    ["a backslash at the end breaks a line", "a\\\nb", "a\nb"],
    ["spaces at the end break a line", "a  \nb", "a\nb"],
    ["white space is one space", "a \t  b", "a b"],
    ["definitions are left out", "x\n\n[a]: https://a.example\n\ny", "x\n\ny"]
  ])("%s", (_, source, expected) => {
    expect(rendered(source)).toBe(expected)
  })
})

describe("HTML in a body", () => {
  it.each([
    ["an entity of a number", "&#65;&#x42;&#x1f98a;", "AB🦊"],
    ["an entity of an invisible character", "&#8206;&#0;", "\\&#8206;\\&#0;"],
    ["an entity of no character", "&#9999999;&unknown;", "\\&#9999999;\\&unknown;"],
    ["an entity with the name of a method", "&toString;&valueOf;", "\\&toString;\\&valueOf;"],
    ["entities in preformatted text", "<pre>&#x202e;a&#xa;b &copy;</pre>", "```\n&#x202e;a&#xa;b ©\n```"],
    ["an image", "<img src=\"https://a.example/1.png\" alt=\"A [screen]\"> x", "[A screen](https://a.example/1.png) x"],
    [
      "an image in capitals without quotes",
      "<IMG SRC='https://a.example/(1).png' ALT=Screen>",
      "[Screen](https://a.example/%281%29.png)"
    ],
    ["an image without an address", "<img alt=\"A screen\"> x", "A screen x"],
    ["an image without a text", "<img src=\"https://a.example/1.png\">", "[image](https://a.example/1.png)"],
    ["a link with parentheses", "<a href=\"https://a.example/(b)\">me</a>", "[me](https://a.example/%28b%29)"],
    ["an anchor", "<a name=\"x\">me</a>", "me"],
    ["a heading", "<h2>Steps</h2>First", "**Steps**\n\nFirst"],
    ["a heading level that does not exist", "<h7>x</h7>", "\\<h7\\>x\\</h7\\>"],
    ["code", "run <code>npm test</code> now", "run `npm test` now"],
    ["preformatted text", "<pre>a\n  b</pre> *c*", "```\na\n  b\n```\n\n*c*"],
    ["end tags without start tags", "</pre>a</a> *b*</details>c", "a *b*\n\nc"],
    [
      "a table",
      "<table><tr><th>a</th><th>b</th></tr><tr><td>1</td><td>2</td></tr></table>",
      "\\| a \\| b\n\\| 1 \\| 2"
    ],
    ["a list", "<ul><li>a</li><li>b</li></ul>after", "- a\n- b\n\nafter"],
    ["a division", "a<div>b</div>c", "a\n\nb\n\nc"],
    ["a line break", "a <br/> b", "a\nb"],
    ["a line break that is written as an end", "a </br> b", "a\nb"],
    ["a link without quotes", "<a href=https://a.example>b</a>", "[b](https://a.example)"],
    ["tags in any case", "<BR>a<Br>b<EM>c</em>", "a\nbc"],
    ["a heading within a line", "x <h2>y</h2> z", "x\n\n**y**\n\nz"],
    ["spaces by their number", "&copy;&#32;&#x20;a", "© a"],
    ["two summaries", "<summary>a</summary><summary>b</summary>", "▸ a\n\n▸ b"],
    ["a section without a summary", "<details>a</details>", "…"],
    ["a section that is open", "<details open><summary>a</summary>b</details>c", "▸ a\n\nb\n\nc"],
    ["a collapsed section with a title", "<details title=\"an open end\">a</details>b", "b\n\n…"],
    ["a collapsed section in an open one", "<details open>a<details>b</details>c</details>d", "a\n\nc\n\nd\n\n…"],
    ["a tag that is escaped", "a \\<b> c", "a \\<b\\> c"]
  ])("reads as the host shows it: %s", (_, source, expected) => {
    expect(rendered(source)).toBe(expected)
  })

  it("shows only the summary of a section, and none of the sections in it", () => {
    expect(rendered(
      "<details><summary>Outer</summary>hidden <details><summary>Inner</summary>deep</details> still</details>after"
    )).toBe("▸ Outer\n\nafter\n\n…")
  })
})
