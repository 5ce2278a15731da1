import { Option, Record } from "effect"
import * as WebUrl from "../WebUrl.ts"

/* Code and comments are found together with tags, because each can contain the others. */
const TOKEN = new RegExp(
  [
    /^ {0,3}(?<fence>`{3,}|~{3,})[^\n]*(?:\n(?! {0,3}\k<fence>)[^\n]*)*(?:\n[^\n]*)?/,
    /(?<!`)(?<code>`{1,2})(?!`)[^\n]*?[^`\n]\k<code>(?!`)/,
    /(?<comment><!--[^]*?(?:-->|$(?![^])))/,
    /\\[<&`]/,
    /<(?<end>\/?)(?<tag>[a-z][a-z0-9]*)(?<attributes>(?:\s[^<>]*)?)\/?>/
  ].map(({ source }) => source).join("|"),
  "gim"
)

const ENTITIES: { readonly [name: string]: string } = {
  amp: "&",
  lt: "<",
  gt: ">",
  quot: "\"",
  apos: "'",
  nbsp: " ",
  hellip: "…",
  mdash: "—",
  ndash: "–",
  laquo: "«",
  raquo: "»",
  bull: "•",
  middot: "·",
  copy: "©",
  reg: "®",
  trade: "™",
  rarr: "→",
  larr: "←",
  times: "×"
}

/** Decodes an entity without `&` and `;`; none if it is unknown or an invisible character. */
export const entity = (name: string): Option.Option<string> => {
  if (!name.startsWith("#")) return Record.get(ENTITIES, name)
  const point = /^#x/i.test(name) ? Number.parseInt(name.slice(2), 16) : Number.parseInt(name.slice(1), 10)
  const isCharacter = point >= 0x20 && point <= 0x10ffff && !/[\p{C}\p{Zl}\p{Zp}]/u.test(String.fromCodePoint(point))
  return isCharacter ? Option.some(String.fromCodePoint(point)) : Option.none()
}

const decode = (text: string): string =>
  text.replace(/&(#?\w{1,8});/g, (match, name: string) => Option.getOrElse(entity(name), () => match))

/** Returns the value of an attribute that is a URL. */
const url = (attributes: string, name: string): Option.Option<WebUrl.WebUrl> =>
  Option.flatMap(attribute(attributes, name), WebUrl.fromText)

const attribute = (attributes: string, name: string): Option.Option<string> =>
  Option.map(
    Option.fromNullable(new RegExp(`\\s${name}\\s*=\\s*(?:"([^"]*)"|'([^']*)'|([^\\s"']+))`, "i").exec(attributes)),
    ([, double, single, bare]) => decode(double ?? single ?? bare ?? "")
  )

/** Whether a section has the attribute `open`, so that it is expanded from the start. */
const isOpen = (attributes: string): boolean => /\sopen(?:[\s=/]|$)/i.test(attributes.replace(/"[^"]*"|'[^']*'/g, ""))

const parenthesised = (address: string): string => `(${address.replaceAll("(", "%28").replaceAll(")", "%29")})`

/** The Markdown for the beginning and for the end of a tag. */
type Replacement = readonly [begin: string, end: string]

const each = (names: string, ...replacement: Replacement): ReadonlyArray<readonly [string, Replacement]> =>
  names.split(" ").map((name) => [name, replacement])

/** All tags that code hosts render. Their content remains. Other tags are literal text, such as `List<String>`. */
const TAGS = new Map([
  ...each("br", "\n", "\n"),
  ...each("tr", "\n", ""),
  ...each("li", "\n- ", ""),
  ...each("summary", "\n\n▸ ", "\n\n"),
  ...each("h1 h2 h3 h4 h5 h6", "\n\n# ", "\n\n"),
  ...each("td th", " | ", " "),
  ...each("code", "`", "`"),
  ...each("p div section article header footer center blockquote details ul ol dl dt dd", "\n\n", "\n\n"),
  ...each("table thead tbody hr figure figcaption", "\n\n", "\n\n"),
  ...each("b strong i em u s del ins strike sub sup small big span font mark q cite abbr kbd samp var tt", "", ""),
  ...each("picture source video audio tfoot caption col colgroup body html head input label", "", ""),
  ...each("g-emoji bdo dfn time wbr ruby rt rp", "", "")
])

/** Markdown whose HTML is converted. `hidden` is true if it has sections that the host shows only on request. */
export interface Converted {
  readonly markdown: string
  readonly hidden: boolean
}

/**
 * Converts the HTML in third-party Markdown: comments and the content of `<details>` are removed, known tags become Markdown
 * or are removed. Unknown tags and code remain unchanged.
 */
export const convert = (source: string): Converted => {
  const shown: Array<string> = []
  const links: Array<string> = []
  let details = 0
  let hidden = false
  let inSummary = false
  let inPreformatted = false
  let from = 0

  const show = (text: string): void => {
    if (details === 0 || (details === 1 && inSummary)) shown.push(inPreformatted ? decode(text) : text)
  }
  const markdownOf = (tag: string, isEnd: boolean, attributes: string): string | undefined => {
    if (tag === "a") {
      if (isEnd) return links.pop() ?? ""
      const address = url(attributes, "href")
      links.push(Option.match(address, { onNone: () => "", onSome: (it) => `]${parenthesised(it)}` }))
      return Option.isSome(address) ? "[" : ""
    }
    if (tag === "img") {
      const alternative = Option.getOrElse(attribute(attributes, "alt"), () => "").replace(/[[\]\n]/g, " ")
      return Option.match(url(attributes, "src"), {
        onNone: () => alternative,
        onSome: (it) => `![${alternative}]${parenthesised(it)}`
      })
    }
    if (tag === "pre") {
      if (isEnd === !inPreformatted) return ""
      inPreformatted = !isEnd
      return "\n\n```\n"
    }
    if (tag === "code" && inPreformatted) return ""
    return TAGS.get(tag)?.[isEnd ? 1 : 0]
  }

  for (const match of source.matchAll(TOKEN)) {
    const { attributes = "", comment, end = "", tag = "" } = match.groups ?? {}
    show(source.slice(from, match.index))
    from = match.index + match[0].length
    if (comment !== undefined) continue
    const name = tag.toLowerCase()
    // Open sections are shown, unless they are in a collapsed one.
    if (name === "details" && end === "" && (details > 0 || !isOpen(attributes))) {
      details += 1
      hidden = true
    }
    if (name === "summary" && end === "") inSummary = true
    show(tag === "" ? match[0] : markdownOf(name, end !== "", attributes) ?? match[0])
    if (name === "summary" && end !== "") inSummary = false
    if (name === "details" && end !== "") {
      details = Math.max(0, details - 1)
      show("\n\n")
    }
  }
  show(source.slice(from))
  return { markdown: shown.join(""), hidden }
}
