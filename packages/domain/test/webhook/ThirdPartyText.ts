import { utf16Unit } from "@community-messaging/domain-contract/CodePoint"
import { FastCheck } from "effect"

/** Pieces of text that have a meaning in some Markdown, in HTML, in JavaScript or in a regular expression. */
const HOSTILE = [
  "@everyone",
  "@here",
  "@EVERYONE",
  "<@1>",
  "<@!1>",
  "<@&1>",
  "<#1>",
  "<:smile:1>",
  "<t:0:R>",
  "</cmd:1>",
  "[safe](https://evil.example)",
  "](https://evil.example)",
  "[",
  "]",
  "(",
  ")",
  "<https://evil.example>",
  "javascript:alert(1)",
  "javascript://x",
  "discord://-/settings",
  "https://example.com/a_b_(c)?q=*&r=|#frag",
  "http://a.example/@everyone.",
  "https://",
  "**",
  "*",
  "__",
  "_",
  "~~",
  "||",
  "|",
  "`",
  "``",
  "```",
  "\n```js\n",
  "~~~",
  "\n# ",
  "\n## heading\n",
  "-# ",
  "\n> ",
  ">>> ",
  "\n",
  "\r\n",
  "\u2028",
  "\t",
  " ",
  "\\",
  "\\\\",
  "\\`",
  "<!--",
  "-->",
  "<b>",
  "&lt;",
  "\u202e",
  "\u2066",
  "\u200f",
  "\u061c",
  "\u0000",
  "\u001b[31m",
  "\ud800",
  "\udc00",
  "👩‍👩‍👧‍👦",
  "é",
  "…",
  "x",
  "word"
] as const

/** The most hostile text that a third party could send. */
export const thirdPartyText: FastCheck.Arbitrary<string> = FastCheck.array(
  FastCheck.oneof(
    { weight: 4, arbitrary: FastCheck.constantFrom(...HOSTILE) },
    { weight: 1, arbitrary: FastCheck.string() },
    { weight: 1, arbitrary: FastCheck.string({ unit: utf16Unit, maxLength: 4 }) }
  ),
  { maxLength: 24 }
).map((pieces) => pieces.join(""))

/** Hostile text that is longer than any message. */
export const longThirdPartyText: FastCheck.Arbitrary<string> = FastCheck.tuple(
  thirdPartyText,
  FastCheck.integer({ min: 1, max: 6000 })
).map(([text, times]) => text.repeat(Math.ceil(times / (text.length + 1))))
