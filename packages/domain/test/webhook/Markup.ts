/*
 * What a reader's client makes of a message's markdown, as far as the tests have to know: a backslash before a
 * punctuation mark shows that mark, a URL is a link up to the next white space, and so is one in angle brackets.
 */

const ESCAPED = /^\\([^0-9A-Za-z\s])/
const CODE_BLOCK = /^```[^\n`]*\n([\s\S]*?)```/
const CODE = /^`([^`]+)`(?!`)/
const MASKED_LINK = /^\[((?:`[^`]+`|\\.|[^\]\\])+)\]\((https?:\/\/[^\s()<>]+)\)/
const MARKED_URL = /^<(https?:\/\/[^\s<>]+)>/
const BARE_URL = /^https?:\/\/[^\s<]+/i
const MARKUP = /^(?:[*_~`|[\]<>\\]|[a-z][a-z0-9+.-]*:\/\/|@(?:everyone|here))/i

// A heading stands at the beginning of a line, or of what begins there with a mark of its own, as lists do.
const HEADING = /^#+(?=\s|$)/
const LINE_START = /(?:^|\n)[\s\-+*>.)0-9]*$/

/** What is shown, and the markup that is understood as such. */
export interface Reading {
  readonly shown: string
  readonly markup: ReadonlyArray<string>
  readonly links: ReadonlyArray<string>
}

const next = (rest: string, before: string): { readonly length: number; readonly reading: Reading } => {
  const found = (match: RegExpExecArray, shown: string, about: Partial<Reading> = {}) => ({
    length: match[0].length,
    reading: { shown, markup: [], links: [], ...about }
  })
  const isWordBefore = /[\p{L}\p{N}]$/u.test(before)
  const escaped = ESCAPED.exec(rest)
  if (escaped !== null) return found(escaped, escaped[1] ?? "")
  const block = CODE_BLOCK.exec(rest)
  if (block !== null) return found(block, block[1] ?? "", { markup: ["code block"] })
  const code = CODE.exec(rest)
  if (code !== null) return found(code, code[1] ?? "", { markup: ["code"] })
  const masked = MASKED_LINK.exec(rest)
  if (masked !== null) return found(masked, masked[1] ?? "", { markup: ["masked link"], links: [masked[2] ?? ""] })
  const marked = MARKED_URL.exec(rest)
  if (marked !== null) return found(marked, marked[1] ?? "", { links: [marked[1] ?? ""] })
  const bare = isWordBefore ? null : BARE_URL.exec(rest)
  if (bare !== null) return found(bare, bare[0], { links: [bare[0]] })
  const markup = isWordBefore && /^[a-z]/i.test(rest) ? null : MARKUP.exec(rest)
  if (markup !== null) return found(markup, markup[0], { markup: [markup[0]] })
  const heading = LINE_START.test(before) ? HEADING.exec(rest) : null
  if (heading !== null) return found(heading, heading[0], { markup: ["heading"] })
  const [character = ""] = rest
  return { length: character.length, reading: { shown: character, markup: [], links: [] } }
}

/** Reads markdown as a client does. */
export const read = (markdown: string): Reading => {
  let shown = ""
  const markup: Array<string> = []
  const links: Array<string> = []
  for (let index = 0; index < markdown.length;) {
    const { length, reading } = next(markdown.slice(index), markdown.slice(0, index))
    shown += reading.shown
    markup.push(...reading.markup)
    links.push(...reading.links)
    index += length
  }
  return { shown, markup, links }
}
