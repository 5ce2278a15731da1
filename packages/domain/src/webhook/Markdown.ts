import { Brand } from "effect"
import { codePointLength, truncate } from "../shared-kernel/CodePointLength.ts"
import type { WebUrl } from "./WebUrl.ts"

/**
 * Text in the Markdown dialect of messages. Third-party text enters only through the functions of this module and of
 * `body/`. They escape its markup, so that it changes neither links or mentions nor the markup around it, in all of the
 * renderers that chats use (decision 25; API gaps, Notifications and webhooks).
 */
export type Markdown = string & Brand.Brand<"Markdown">
const Markdown = Brand.nominal<Markdown>()

/** The empty text. */
export const EMPTY: Markdown = Markdown("")

/** The maximum number of UTF-16 units that are read of a text: far more than a message shows. */
const MAX_READ = 16_384

/** Most text: it needs no cleaning. */
const CLEAN = /^[ -~\n]*$/

/**
 * Removes control characters and bidirectional control characters, which are invisible or reorder the text around them.
 */
export const clean = (text: string): string =>
  text.length <= MAX_READ && CLEAN.test(text) ? text : text
    .slice(0, MAX_READ)
    .toWellFormed()
    .replace(/\r\n?|[\v\f\u0085\u2028\u2029]/g, "\n")
    .replace(/(?![\n\t])\p{Cc}|\p{Bidi_Control}/gu, "")

const onOneLine = (text: string): string => clean(text).replace(/\s+/g, " ").trim()

/**
 * Breaks `@everyone` and `@here` with a zero width space. A backslash is not enough: it is literal in code and in
 * unformatted text, and some clients look for mentions before they read the markup.
 */
const breakMentions = (text: string): string =>
  text.includes("@") ? text.replace(/@(?=everyone|here)/gi, "@\u200b") : text

/* Characters that can be markup for any of the renderers, and those that begin headings, lists and lines. */
const MARKUP = /[\\`*_~|[\]<>(:#&@]|^[-+=]/gm

/** A number that begins a list. */
const NUMBER = /^(\d{1,9})(?=[.)](?:\s|$))/gm

/** The text after a character if the character is markup. The patterns are sticky. */
const AFTER = {
  ":": /\/\//y,
  "#": /#*(?:\s|$)/y,
  "&": /#?\w+;/y,
  "@": /everyone|here/iy
}

const isFollowedBy = (pattern: RegExp, text: string, offset: number): boolean => {
  pattern.lastIndex = offset + 1
  return pattern.test(text)
}

/** `](` becomes `\]\(`: simple-markdown ignores backslashes when it looks for the end of a link. */
const escapeCharacter = (character: string, offset: number, text: string): string => {
  const isLineStart = offset === 0 || text[offset - 1] === "\n"
  switch (character) {
    case "(":
      return text[offset - 1] === "]" ? "\\(" : "("
    case ":":
      return isFollowedBy(AFTER[":"], text, offset) ? "\\:" : ":"
    case "#":
      return isLineStart || (text[offset - 1] !== "#" && isFollowedBy(AFTER["#"], text, offset)) ? "\\#" : "#"
    case "&":
      return isFollowedBy(AFTER["&"], text, offset) ? "\\&" : "&"
    case "@":
      return isFollowedBy(AFTER["@"], text, offset) ? "@\u200b" : "@"
    default:
      return `\\${character}`
  }
}

/** Escapes all markup of a text that is clean. */
export const escape = (text: string): Markdown =>
  Markdown(text.replace(MARKUP, escapeCharacter).replace(NUMBER, "$1\\"))

/** Escaped punctuation, and zero width spaces, which escaping adds. */
const ESCAPED = /\\([!-/:-@[-`{-~])|\u200b/g

/** Returns the length of a text in code points as it is shown, without what escaping adds. */
export const shownLength = (text: Markdown): number => codePointLength(text.replace(ESCAPED, "$1"))

/**
 * Renders as much of the text as fits into `maximum` code points after escaping, with an ellipsis if it is truncated.
 */
const fitted = (text: string, maximum: number): Markdown => {
  const attempt = (kept: number): Markdown => {
    const escaped = escape(truncate(text, kept))
    const excess = codePointLength(escaped) - maximum
    return excess <= 0 || kept <= 1 ? escaped : attempt(Math.max(1, kept - Math.ceil(excess / 3)))
  }
  return attempt(maximum)
}

/**
 * Renders third-party text on one line. Its URLs do not become links. `maximum` is in code points and at least 16, here
 * and in the functions below.
 */
export const line = (text: string, maximum: number): Markdown => fitted(onOneLine(text), maximum)

/** Renders third-party text of several lines that is not Markdown. Its URLs do not become links. */
export const lines = (text: string, maximum: number): Markdown =>
  fitted(clean(text).replace(/[^\S\n]+/g, " ").replace(/ ?\n ?/g, "\n").replace(/\n{3,}/g, "\n\n").trim(), maximum)

/**
 * Returns whether the text can be inline code: it ends neither the code nor a link before it. Some renderers look for the
 * end of a link in code, too.
 */
export const canBeCode = (text: string): boolean => text !== "" && !/[`\n]|\]\(|\\$|^\s|\s$/.test(text)

/** Renders third-party text on one line as inline code, or as plain text if it cannot be code. */
export const code = (text: string, maximum: number): Markdown => {
  const shown = truncate(breakMentions(onOneLine(text)), maximum - 2)
  return canBeCode(shown) ? Markdown(`\`${shown}\``) : line(text, maximum)
}

/** The name of a language after the fence of a code block. */
const LANGUAGE = /^[a-z0-9_+#-]{1,20}$/i

/** A first line of code with which a parser takes the line before it, the fence, for a heading. */
const UNDERLINE = /^(?= *[-=]{3,} *\n *\n)/

/** Renders third-party text as a code block. */
export const codeBlock = (language: string, text: string): Markdown =>
  Markdown(
    `\`\`\`${LANGUAGE.test(language) ? language : ""}\n${
      breakMentions(text).replace(/``(?=`)/g, "``\u200b").replaceAll("](", "] (").replace(UNDERLINE, "\u200b")
    }\n\`\`\``
  )

/** Renders third-party text on one line without Markdown, for places such as the name of an author. */
export const unformatted = (text: string, maximum: number): string => truncate(breakMentions(onOneLine(text)), maximum)

const ENCODED: { readonly [character: string]: string } = { "(": "%28", ")": "%29", "*": "%2A", ";": "%3B", "@": "%40" }

/** Encodes characters of a URL that end a link, or are read as emphasis, HTML entities or mentions in it. */
const destination = (url: WebUrl): string =>
  !/[()*;@]/.test(url) ?
    url :
    url.replace(/[()*]|(?<=&#?\w{1,32});|@(?=everyone|here)/gi, (character) => ENCODED[character] ?? "")

/** Renders a link. Its text is the service's own, `code`, or third-party text without brackets. */
export const link = (text: Markdown, url: WebUrl): Markdown => Markdown(`[${text}](${destination(url)})`)

/** Renders a URL as a link to itself. */
export const address = (url: WebUrl): Markdown => Markdown(`<${destination(url)}>`)

/** Renders the text as a quote. */
export const quote = (text: Markdown): Markdown => Markdown(`> ${text.replaceAll("\n", "\n> ")}`)

/** A template tag for the service's own text, with Markdown as its values. */
export const markdown = (strings: TemplateStringsArray, ...values: ReadonlyArray<Markdown | number>): Markdown =>
  Markdown(String.raw({ raw: strings }, ...values))

/** Joins the parts that are not empty with `separator`. */
export const join = (parts: ReadonlyArray<Markdown>, separator: string): Markdown =>
  Markdown(parts.filter((part) => part !== "").join(separator))
