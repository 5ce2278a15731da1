import { describe, expect, it } from "@effect/vitest"
import { FastCheck, Option } from "effect"
import { read } from "../../src/webhook/body/BodyReader.ts"
import { renderBody } from "../../src/webhook/body/BodyRenderer.ts"
import * as CodeHostEvent from "../../src/webhook/code-host/CodeHostEvent.ts"
import type { Delivery } from "../../src/webhook/Delivery.ts"
import { shownLength } from "../../src/webhook/Markdown.ts"
import * as WebUrl from "../../src/webhook/WebUrl.ts"
import { RENDERERS, type Rendering } from "./ChatRenderers.ts"
import { notificationsOf } from "./code-host/HostileNotifications.ts"
import { shown } from "./Shown.ts"
import { thirdPartyText } from "./ThirdPartyText.ts"

/** Third-party text that is never blank, hostile at its start or at its end. */
const text = FastCheck.tuple(thirdPartyText, FastCheck.boolean()).map(([hostile, isFirst]) =>
  isFirst ? `${hostile}x` : `x${hostile}`
)

const hostileUrl = thirdPartyText.map((path) => `https://good.example/${path.replaceAll(/\p{Cc}/gu, "")}`)

/** The texts of an embed that clients render. */
const textsOf = (delivery: Delivery): ReadonlyArray<string> => {
  const { description = "", fields = [], title = "" } = shown(delivery) ?? {}
  return [title, description, ...fields.map(({ value = "" }) => value)]
}

/** The structure of a text: the texts of its links, their hosts, and its markup. */
const structure = ({ links, markup }: Rendering) => ({
  links: links.map((link) => link.replace(/ → (https?:\/\/[^/]+).*/s, " → $1")),
  markup
})

const cycle = (values: ReadonlyArray<string>) => {
  let index = -1
  return () => values[(index += 1) % values.length] ?? ""
}

const RUNS = { fastCheck: { numRuns: 15 } }

describe("in every renderer", () => {
  it.prop(
    "no text of a code host changes a link, a mention or markup of a message",
    [
      FastCheck.array(text, { minLength: 12, maxLength: 12 }),
      FastCheck.array(hostileUrl, { minLength: 3, maxLength: 3 })
    ],
    ([texts, urls]) => {
      const harmless = notificationsOf(() => "word", () => "https://good.example/page")
      for (const [index, [event, notification]] of notificationsOf(cycle(texts), cycle(urls)).entries()) {
        const rendered = textsOf(CodeHostEvent.delivery({ deliveryId: undefined, event }, notification))
        const expected = textsOf(
          CodeHostEvent.delivery({ deliveryId: undefined, event }, harmless[index]?.[1] ?? notification)
        )
        for (const render of Object.values(RENDERERS)) {
          expect(rendered.map(render).map(structure)).toEqual(expected.map(render).map(structure))
        }
      }
    },
    RUNS
  )
})

const PAGE = WebUrl.fromText("https://good.example/page")

describe.each(Object.entries(RENDERERS))("in %s", (_, render) => {
  it.each(["---", "===", " --- ", "-=-=-"])("code that begins with the line %s of a heading stays code", (line) => {
    const { code, links, markup } = render(renderBody(`~~~js\n${line}\n\n**https://a.example**\n~~~`, PAGE))
    expect([links, markup]).toEqual([[], []])
    expect(code.join("")).toContain("**https://a.example**")
  })
})

/** Bodies of Markdown and HTML, well-formed and broken. */
const body = FastCheck.array(
  FastCheck.oneof(
    { weight: 2, arbitrary: thirdPartyText },
    {
      weight: 3,
      arbitrary: FastCheck.constantFrom(
        "[safe](https://safe.example/a_b*c)",
        "[`code`](https://safe.example)",
        "[a] b](https://safe.example/(x))",
        "![image](https://safe.example/x.png)",
        "[![badge](https://safe.example/b.svg)](https://safe.example)",
        "[ref][r]",
        "\n[r]: https://safe.example/r\n",
        "https://safe.example/x_y_z",
        "<a href=\"https://safe.example/?a=1&amp;copy;\">page</a>",
        "**bold**",
        "*it*",
        "_it_",
        "~~gone~~",
        "***both***",
        "`co*de`",
        "`](https://evil.example)`",
        "!",
        "\n- item\n",
        "\n1. one\n",
        "\n  - nested\n",
        "\n> quote\n",
        "\n\n",
        "\n```js\na](https://evil.example) [\n```\n",
        "\n~~~\n---\n\n**code**\n~~~\n",
        "\n    code\n",
        "\n| a | b |\n|---|---|\n| 1 | 2 |\n",
        "\nTitle\n===\n",
        "\n---\n",
        "<details><summary>More</summary>secret</details>",
        "<table><tr><td>1</td></tr></table>",
        "&#91;x&#93;(https://evil.example)",
        "&lt;@1&gt;",
        "@&#8203;everyone",
        "@<b></b>everyone",
        " words ",
        " "
      )
    }
  ),
  { maxLength: 30 }
).map((pieces) => pieces.join(""))

/** A link without the encoding that renderers add or remove. */
const decoded = (link: string): string =>
  link.replaceAll("\u200b", "").replace(/(?:%[0-9a-f]{2})+/gi, (encoded) => {
    try {
      return decodeURIComponent(encoded)
    } catch {
      return encoded
    }
  })

/** The links that the reader finds in a body. */
const linksOf = (source: string): ReadonlyArray<string> =>
  read(source).blocks.flatMap((block) => block._tag === "CodeBlock" ? [] : block.content).flatMap((part) => {
    if (part._tag === "Link") return [`${part.text.replaceAll("[", "(").replaceAll("]", ")")} → ${part.url}`]
    return part._tag === "Address" ? [`${part.url} → ${part.url}`] : []
  })

const MORE = "and more → https://good.example/page"
const MARKUP_OF_BODIES = new Set(["em", "strong", "s", "blockQuote", "list", "bullet_list", "ordered_list"])

describe("a body in every renderer", () => {
  it.prop("has the links that the service made of it, and no markup but what it keeps", [body], ([source]) => {
    const made = linksOf(source).map(decoded)
    const rendered = renderBody(source, PAGE)
    for (const [name, render] of Object.entries(RENDERERS)) {
      const { links, markup } = render(rendered)
      const own = links.filter((link) => link !== MORE).map(decoded)
      expect([name, rendered, own]).toEqual([name, rendered, made.slice(0, own.length)])
      expect([name, rendered, markup.filter((each) => !MARKUP_OF_BODIES.has(each))]).toEqual([name, rendered, []])
    }
  }, { fastCheck: { numRuns: 100 } })

  it.prop("has the same emphasis", [body], ([source]) => {
    const rendered = renderBody(source, PAGE)
    const emphasis = Object.values(RENDERERS).map((render) =>
      render(rendered).markup.filter((each) => each === "em" || each === "strong")
    )
    expect([rendered, emphasis]).toEqual([rendered, emphasis.map(() => emphasis[0])])
  }, { fastCheck: { numRuns: 100 } })

  it.prop("shows at most 500 characters before the ellipsis", [body], ([source]) => {
    expect(shownLength(renderBody(source, Option.none()))).toBeLessThanOrEqual(500 + "\n\n…".length)
  }, { fastCheck: { numRuns: 100 } })
})
