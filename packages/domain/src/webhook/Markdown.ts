import { Brand } from "effect"
import { codePointLength, truncate } from "../shared-kernel/CodePointLength.ts"
import type { WebUrl } from "./WebUrl.ts"

/**
 * Text in the markdown dialect of messages. Third-party text gets in only through the functions of this module, which
 * see to it that none of its markup is understood as such: its links, mentions, headings, quotes, spoilers and the like
 * are shown as they were written (API gaps, Notifications and webhooks).
 */
export type Markdown = string & Brand.Brand<"Markdown">
const Markdown = Brand.nominal<Markdown>()

/** Nothing to show. */
export const EMPTY: Markdown = Markdown("")

/** UTF-16 units of a text that are looked at: far more than a message shows, and the most that a code host stores. */
const MAX_READ = 65_536

/** The text without what is invisible or would reorder its surroundings: control and bidirectional control characters. */
const clean = (text: string): string =>
  text
    .slice(0, MAX_READ)
    .replace(/\p{Surrogate}/gu, "\ufffd")
    .replace(/\r\n?|[\v\f\u0085\u2028\u2029]/g, "\n")
    .replace(/(?![\n\t])\p{Cc}|[\u202a-\u202e\u2066-\u2069]/gu, "")

const onOneLine = (text: string): string => clean(text).replace(/\s+/g, " ").trim()

/** Mentions of everybody, broken by a zero width space: the only way that holds in code and unformatted text as well. */
const defuse = (text: string): string => text.replace(/@(?=everyone|here)/gi, "@\u200b")

// A URL is left as it is, so that it can be followed; `:` and `#` are markup in `scheme://` and `# heading` only.
const ADDRESS =
  /(?<![\p{L}\p{N}.+-])https?:\/\/[\p{L}\p{N}](?:[\p{L}\p{M}\p{N}\-._~:/?#@!$&'()+,;=%]*[\p{L}\p{M}\p{N}/#=&%$+)-])?/iu
const MARKUP = /[\\`*_~|[\]<>]|:(?=\/\/)|(?<!#)#(?=#*(?:\s|$))|@(?=everyone|here)/iu
// Backticks on one line with neither a backtick nor a last backslash between them; a backslash makes them literal.
const CODE = /\\[\\`]|(?<!`)`[^`\n]*[^`\n\\]`(?!`)/u

const PLAIN = new RegExp(`${ADDRESS.source}|${MARKUP.source}`, "giu")
const PLAIN_OR_CODE = new RegExp(`${CODE.source}|${ADDRESS.source}|${MARKUP.source}`, "giu")
const LABEL = new RegExp(MARKUP.source, "giu")

/** A URL in a text, marked as such where it would be taken together with what stands right `behind` it. */
const address = (match: string, behind: string): string => {
  let end = match.length
  if (!match.includes("(")) { while (match.charAt(end - 1) === ")") end -= 1 }
  const url = match.slice(0, end).replace(/@(?=everyone|here)/gi, "%40")
  return end === match.length && /^[.,:;!?]{0,3}(?:\s|$)/.test(behind) ? url : `<${url}>${match.slice(end)}`
}

const escapeMatch = (match: string, offset: number, text: string): string => {
  if (match === "@") return "@\u200b"
  if (match.length === 1) return `\\${match}`
  if (match.startsWith("`")) return defuse(match)
  if (match.startsWith("\\")) return `\\\\\\${match.charAt(1)}`
  const end = offset + match.length
  return address(match, text.slice(end, end + 5))
}

const escape = (text: string, markup: RegExp): string => text.replace(markup, escapeMatch)

/** What `render` makes of as much of the text as fits into `maximum` code points, an ellipsis where something is cut. */
const fitted = (text: string, maximum: number, render: (text: string) => string): Markdown => {
  const attempt = (kept: number): Markdown => {
    const rendered = render(truncate(text, kept))
    const excess = codePointLength(rendered) - maximum
    return excess <= 0 || kept <= 1 ? Markdown(rendered) : attempt(Math.max(1, kept - Math.ceil(excess / 3)))
  }
  return attempt(maximum)
}

/** Third-party text on one line. `maximum` is in code points, for this and the others, and at least 16. */
export const line = (text: string, maximum: number): Markdown =>
  fitted(onOneLine(text), maximum, (shown) => escape(shown, PLAIN))

const FENCE = /^ {0,3}(`{3,}|~{3,})([^`]*)$/

const withoutComment = (text: string): string => {
  const [first = "", ...others] = text.split("<!--")
  return others.reduce((seen, part) => {
    const end = part.indexOf("-->")
    return end < 0 ? `${seen}<!--${part}` : `${seen}${part.slice(end + 3)}`
  }, first)
}

/** The text without HTML comments, which nobody sees at the code host, except in code: between every second fence. */
const withoutComments = (text: string): string =>
  text
    .split(/^( {0,3}(?:```|~~~).*)$/m)
    .map((part, index) => index % 4 === 0 ? withoutComment(part) : part)
    .join("")

interface Fence {
  readonly mark: string
  readonly about: string
  readonly lines: Array<string>
}

const codeBlock = ({ about, lines }: Fence): ReadonlyArray<string> =>
  lines.every((each) => each.trim() === "") ? [] : [
    `\`\`\`${/^[a-z0-9_+#-]{1,20}$/i.test(about) ? about : ""}`,
    ...lines.map((each) => defuse(each).replace(/``(?=`)/g, "``\u200b")),
    "```"
  ]

const renderBlock = (text: string): string => {
  const shown: Array<string> = []
  let fence: Fence | undefined
  for (const each of text.split("\n")) {
    const [, mark = "", about = ""] = FENCE.exec(each) ?? []
    if (fence === undefined) {
      if (mark !== "") fence = { mark, about: about.trim(), lines: [] }
      else if (each.trim() !== "" || shown.at(-1) !== "") shown.push(escape(each.trimEnd(), PLAIN_OR_CODE))
    } else if (mark.startsWith(fence.mark) && about.trim() === "") {
      shown.push(...codeBlock(fence))
      fence = undefined
    } else fence.lines.push(each)
  }
  return [...shown, ...fence === undefined ? [] : codeBlock(fence)].join("\n").trim()
}

/**
 * Third-party text of several lines, itself written in markdown. Code stays code, as it is read best, HTML comments are
 * not shown, and everything else is shown as it was written.
 */
export const block = (text: string, maximum: number): Markdown =>
  fitted(withoutComments(clean(text)).trim(), maximum, renderBlock)

/** Third-party text on one line, in the type of code where that can be. */
export const code = (text: string, maximum: number): Markdown => {
  const shown = truncate(defuse(onOneLine(text)), maximum - 2)
  return shown === "" || shown.includes("`") || shown.endsWith("\\") ? line(text, maximum) : Markdown(`\`${shown}\``)
}

/** Third-party text on one line for a place that is no markdown, such as the name of an author. */
export const unformatted = (text: string, maximum: number): string => truncate(defuse(onOneLine(text)), maximum)

/** Third-party text on one line for the label of a link, where a URL must not be a link of its own. */
export const label = (text: string, maximum: number): Markdown =>
  fitted(onOneLine(text), maximum, (shown) => escape(shown, LABEL))

/** A link. What it says is a `label` or `code`. */
export const link = (says: Markdown, url: WebUrl): Markdown =>
  Markdown(`[${says}](${url.replace(/[()]/g, (parenthesis) => parenthesis === "(" ? "%28" : "%29")})`)

/** Our own words as a tagged template, with markdown in their gaps. */
export const markdown = (words: TemplateStringsArray, ...gaps: ReadonlyArray<Markdown | number>): Markdown =>
  Markdown(String.raw({ raw: words }, ...gaps))

/** The parts that are not empty, with `separator` between them. */
export const join = (parts: ReadonlyArray<Markdown>, separator: string): Markdown =>
  Markdown(parts.filter((part) => part !== "").join(separator))
