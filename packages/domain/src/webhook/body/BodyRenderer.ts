import { Option } from "effect"
import { codePointLength, firstCodePoints } from "../../shared-kernel/CodePointLength.ts"
import {
  address,
  code,
  codeBlock,
  EMPTY,
  escape,
  join,
  link,
  type Markdown,
  markdown,
  quote,
  shownLength
} from "../Markdown.ts"
import type { WebUrl } from "../WebUrl.ts"
import type { Block, Inline } from "./Body.ts"
import { read } from "./BodyReader.ts"

/** The maximum length of a body in characters as it is shown, without its link to the rest. */
export const MAX_BODY_LENGTH = 500

/** The minimum room for another block, in characters. */
const MIN_ROOM = 24

const ELLIPSIS = markdown`…`

/** Text without the brackets that end a link in some renderers. */
const withoutBrackets = (text: string): string => text.replaceAll("[", "(").replaceAll("]", ")")

const renderInline = (part: Inline, next?: Inline): Markdown => {
  switch (part._tag) {
    case "Text":
      // Directly before a link, an exclamation mark would make it an image.
      return next?._tag === "Link" && part.text.endsWith("!")
        ? markdown`${escape(part.text.slice(0, -1))}\\!`
        : escape(part.text)
    case "Emphasis": {
      const mark = { "*": markdown`*`, "**": markdown`**`, "~~": markdown`~~` }[part.mark]
      return markdown`${mark}${escape(part.text)}${mark}`
    }
    case "Code":
      return code(part.text, part.text.length + 16)
    case "Link":
      return link(escape(withoutBrackets(part.text)), part.url)
    case "Address":
      return address(part.url)
  }
}

/** The maximum length of the part of a list item before its text: its indent, its number, a point and a space. */
const MAX_MARKER_LENGTH = 13

interface Rendered {
  readonly text: Markdown
  readonly isComplete: boolean
}

/** The rendering if there is no room. */
const NOTHING: Rendered = { text: EMPTY, isComplete: false }

/** The ends of words. Chinese, Japanese and Thai are written without spaces. */
const WORD_END = /\S(?=\s)|[\p{sc=Han}\p{sc=Hira}\p{sc=Kana}\p{sc=Thai}]/gu

/** Renders as many words of the text as fit; empty if none fits. */
const wordsOf = (text: string, maximum: number): Markdown => {
  // One more character shows whether the last of these ends a word.
  const first = firstCodePoints(text, maximum + 1)
  const ends = Array.from(first.matchAll(WORD_END), ({ 0: match, index }) => index + match.length)
  const end = ends.findLast((at) => codePointLength(text.slice(0, at)) <= maximum)
  return end === undefined ? EMPTY : escape(text.slice(0, end))
}

/** Renders as much of the content as fits. A single word that is too long is cut between its characters. */
const renderInlines = (content: ReadonlyArray<Inline>, maximum: number): Rendered => {
  const shown: Array<Markdown> = []
  let room = maximum
  for (const [index, part] of content.entries()) {
    const text = renderInline(part, content[index + 1])
    const length = shownLength(text)
    if (length <= room) {
      shown.push(text)
      room -= length
      continue
    }
    const words = part._tag === "Text" || part._tag === "Emphasis" ? wordsOf(part.text, room) : EMPTY
    const isOneWord = words === EMPTY && shown.length === 0 && part._tag !== "Link" && part._tag !== "Address"
    return {
      text: isOneWord ? escape(firstCodePoints(part.text, room)) : join([...shown, words], ""),
      isComplete: false
    }
  }
  return { text: join(shown, ""), isComplete: true }
}

/** Whether all renderers show the content as bold. */
const canBeBold = ([first, ...others]: ReadonlyArray<Inline>): boolean =>
  others.length === 0 && first?._tag === "Text" && /^[\p{L}\p{N}]/u.test(first.text) && !/[\\*_~`]$/.test(first.text)

/** Renders as many of the first `length` characters of the code as fit. */
const codeCharacters = (language: string, text: string, maximum: number, length: number): Markdown => {
  if (length <= 0) return EMPTY
  const block = codeBlock(language, firstCodePoints(text, length))
  const excess = shownLength(block) - maximum
  return excess <= 0 ? block : codeCharacters(language, text, maximum, length - excess)
}

/** Renders as many lines of the code as fit. A first line that is too long is cut between its characters. */
const renderCode = (language: string, text: string, maximum: number): Rendered => {
  const whole = codeBlock(language, text)
  if (shownLength(whole) <= maximum) return { text: whole, isComplete: true }
  const ends = Array.from(text.slice(0, maximum).matchAll(/\n/g), ({ index }) => index)
  const end = ends.findLast((at) => shownLength(codeBlock(language, text.slice(0, at))) <= maximum)
  const kept = end === undefined ? "" : text.slice(0, end).trimEnd()
  const shown = kept === "" ? codeCharacters(language, text, maximum, maximum) : codeBlock(language, kept)
  return { text: shown, isComplete: false }
}

/** Renders as much of a quote as fits. `room` is for its text, without the marks before its lines. */
const renderQuote = (content: ReadonlyArray<Inline>, maximum: number, room: number): Rendered => {
  const { isComplete, text } = room < MIN_ROOM ? NOTHING : renderInlines(content, room)
  if (text === EMPTY) return NOTHING
  const quoted = quote(text)
  const excess = shownLength(quoted) - maximum
  return excess <= 0 ? { text: quoted, isComplete } : renderQuote(content, maximum, room - Math.ceil(excess / 2))
}

const renderBlock = (block: Block, maximum: number): Rendered => {
  const within = (around: number, render: (text: Markdown) => Markdown, content: ReadonlyArray<Inline>): Rendered => {
    const { isComplete, text } = renderInlines(content, maximum - around)
    return { text: text === EMPTY ? EMPTY : render(text), isComplete }
  }
  switch (block._tag) {
    case "Paragraph":
      return renderInlines(block.content, maximum)
    case "Heading":
      return canBeBold(block.content)
        ? within(4, (text) => markdown`**${text}**`, block.content)
        : renderInlines(block.content, maximum)
    case "Quote":
      return renderQuote(block.content, maximum, maximum)
    case "Item":
      return within(MAX_MARKER_LENGTH, (text) => markdown`${block.marker} ${text}`, block.content)
    case "CodeBlock":
      return renderCode(block.language, block.text, maximum)
  }
}

const renderBlocks = (blocks: ReadonlyArray<Block>, maximum: number): Rendered => {
  let shown = EMPTY
  let before: Block | undefined
  for (const block of blocks) {
    const separator = shown === EMPTY ? "" : before?._tag === "Item" && block._tag === "Item" ? "\n" : "\n\n"
    const room = maximum - shownLength(shown) - separator.length
    const { isComplete, text } = room < MIN_ROOM ? NOTHING : renderBlock(block, room)
    shown = join([shown, text], separator)
    if (!isComplete) return { text: shown, isComplete: false }
    before = block
  }
  return { text: shown, isComplete: true }
}

/**
 * Renders the body of an issue, a comment or the like: as much as fits, then a link to the rest. Blocks and emphasis are
 * closed where it is cut.
 */
export const renderBody = (source: string, url: Option.Option<WebUrl>): Markdown => {
  const { blocks, isComplete: isRead } = read(source)
  const { isComplete, text } = renderBlocks(blocks, MAX_BODY_LENGTH)
  if (isComplete && isRead) return text
  const more = Option.match(url, {
    onNone: () => ELLIPSIS,
    onSome: (it) => markdown`… ${link(markdown`and more`, it)}`
  })
  const isCut = !isComplete && text !== EMPTY && !text.endsWith("```")
  return join([text, more], isCut ? "" : "\n\n")
}
