import { Brand } from "effect"
import { codePointLength, truncate } from "../shared-kernel/CodePointLength.ts"
import type { WebUrl } from "./WebUrl.ts"

/**
 * Text in the Markdown dialect of messages. Third-party text enters only through the functions of this module. They
 * escape its markup, so that links, mentions, headings, quotes, spoilers and the like are shown as literal text
 * (API gaps, Notifications and webhooks).
 */
export type Markdown = string & Brand.Brand<"Markdown">
const Markdown = Brand.nominal<Markdown>()

/** The empty text. */
export const EMPTY: Markdown = Markdown("")

/**
 * The maximum number of UTF-16 units that are read of a text: the limit of code hosts, and far more than a message
 * shows.
 */
const MAX_READ = 65_536

/**
 * Removes control characters and bidirectional control characters, which are invisible or reorder the text around them.
 */
const clean = (text: string): string =>
  text
    .slice(0, MAX_READ)
    .replace(/\p{Surrogate}/gu, "\ufffd")
    .replace(/\r\n?|[\v\f\u0085\u2028\u2029]/g, "\n")
    .replace(/(?![\n\t])\p{Cc}|[\u202a-\u202e\u2066-\u2069]/gu, "")

const onOneLine = (text: string): string => clean(text).replace(/\s+/g, " ").trim()

/** Breaks `@everyone` and `@here` with a zero width space. Only this also works in code and in unformatted text. */
const defuse = (text: string): string => text.replace(/@(?=everyone|here)/gi, "@\u200b")

// A URL stays unescaped, so that it works as a link; `:` and `#` are markup in `scheme://` and `# heading` only.
const ADDRESS =
  /(?<![\p{L}\p{N}.+-])https?:\/\/[\p{L}\p{N}](?:[\p{L}\p{M}\p{N}\-._~:/?#@!$&'()+,;=%]*[\p{L}\p{M}\p{N}/#=&%$+)-])?/iu
const MARKUP = /[\\`*_~|[\]<>]|:(?=\/\/)|(?<!#)#(?=#*(?:\s|$))|@(?=everyone|here)/iu
// Inline code on one line: no backtick inside, no backslash at the end, no backslash before it.
const CODE = /\\[\\`]|(?<!`)`[^`\n]*[^`\n\\]`(?!`)/u

const PLAIN = new RegExp(`${ADDRESS.source}|${MARKUP.source}`, "giu")
const PLAIN_OR_CODE = new RegExp(`${CODE.source}|${ADDRESS.source}|${MARKUP.source}`, "giu")
const LABEL = new RegExp(MARKUP.source, "giu")

/** Encloses a URL in `<>` if a renderer would add the text right `behind` it to the URL. */
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

/**
 * Renders as much of the text as fits into `maximum` code points after rendering, with an ellipsis if it is truncated.
 */
const fitted = (text: string, maximum: number, render: (text: string) => string): Markdown => {
  const attempt = (kept: number): Markdown => {
    const rendered = render(truncate(text, kept))
    const excess = codePointLength(rendered) - maximum
    return excess <= 0 || kept <= 1 ? Markdown(rendered) : attempt(Math.max(1, kept - Math.ceil(excess / 3)))
  }
  return attempt(maximum)
}

/**
 * Renders third-party text on one line. `maximum` is in code points and at least 16, here and in the functions below.
 */
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

/** Removes HTML comments outside code blocks, because the code host does not show them. */
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
 * Renders third-party text of several lines that is itself Markdown. Code stays code, because it is easiest to read so.
 * HTML comments are removed. Everything else is shown as literal text.
 */
export const block = (text: string, maximum: number): Markdown =>
  fitted(withoutComments(clean(text)).trim(), maximum, renderBlock)

/** Renders third-party text on one line as inline code, or as plain text if it cannot be code. */
export const code = (text: string, maximum: number): Markdown => {
  const shown = truncate(defuse(onOneLine(text)), maximum - 2)
  return shown === "" || shown.includes("`") || shown.endsWith("\\") ? line(text, maximum) : Markdown(`\`${shown}\``)
}

/** Renders third-party text on one line without Markdown, for places such as the name of an author. */
export const unformatted = (text: string, maximum: number): string => truncate(defuse(onOneLine(text)), maximum)

/** Renders third-party text on one line for the label of a link. URLs in it do not become links. */
export const label = (text: string, maximum: number): Markdown =>
  fitted(onOneLine(text), maximum, (shown) => escape(shown, LABEL))

/** Renders a link. Its text is a `label` or `code`. */
export const link = (text: Markdown, url: WebUrl): Markdown =>
  Markdown(`[${text}](${url.replace(/[()]/g, (parenthesis) => parenthesis === "(" ? "%28" : "%29")})`)

/** A template tag for the service's own text, with Markdown as its values. */
export const markdown = (strings: TemplateStringsArray, ...values: ReadonlyArray<Markdown | number>): Markdown =>
  Markdown(String.raw({ raw: strings }, ...values))

/** Joins the parts that are not empty with `separator`. */
export const join = (parts: ReadonlyArray<Markdown>, separator: string): Markdown =>
  Markdown(parts.filter((part) => part !== "").join(separator))
