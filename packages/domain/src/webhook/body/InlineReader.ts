import { Option } from "effect"
import { canBeCode } from "../Markdown.ts"
import * as WebUrl from "../WebUrl.ts"
import type { Inline } from "./Body.ts"
import { entity } from "./HtmlInMarkdown.ts"
import * as LinkText from "./LinkText.ts"

/** The targets of reference links by their name in lower case. */
export type Definitions = ReadonlyMap<string, string>

const TOKEN =
  /\\([!-/:-@[-`{-~])|`+|!?\[|<(?:https?:\/\/|mailto:)[^\s<>]*>|\*{1,3}|_{1,3}|~~|(?<![\p{L}\p{N}])https?:\/\/[^\s<>]+|&#?\w{1,8};/giu

/** How deep emphasis and links can be nested, how far apart their ends can be, and how many ends are tried. */
const MAX_DEPTH = 3
const MAX_SPAN = 1000
const MAX_TRIES = 8

const TARGET =
  /\(\s*(?!\s)(?:<([^<>\n]*)>|([^\s<>()]*(?:\([^\s<>()]*\)[^\s<>()]*)*))(?:\s+(?:"[^"\n]*"|'[^'\n]*'))?\s*\)/y
const REFERENCE = /\[([^[\]\n]{0,200})\]/y

const matchAt = (pattern: RegExp, text: string, index: number): RegExpExecArray | null => {
  pattern.lastIndex = index
  return pattern.exec(text)
}

const text = (value: string): Inline => ({ _tag: "Text", text: value })

/** The characters that the content of a part shows. */
const shown = (part: Inline): string => part._tag === "Address" ? part.url : part.text

interface Found {
  readonly parts: ReadonlyArray<Inline>
  readonly end: number
}

/** Joins texts, because markup can be in two of them: `](`, or `@` and `everyone`. Collapses white space. */
const joined = (parts: ReadonlyArray<Inline>): ReadonlyArray<Inline> => {
  const seen: Array<Inline> = []
  let pending = ""
  const endText = (): void => {
    const shownText = pending.replace(/[^\S\n]+/g, " ").replace(/ ?\n[ \n]*/g, "\n")
    if (shownText !== "") seen.push(text(seen.length === 0 ? shownText.trimStart() : shownText))
    pending = ""
  }
  for (const part of parts) {
    if (part._tag === "Text") pending += part.text
    else {
      endText()
      seen.push(part)
    }
  }
  pending = pending.trimEnd()
  endText()
  return seen.filter((part) => shown(part) !== "")
}

const codeSpan = (source: string, start: number, run: string): Found => {
  const from = start + run.length
  const within = source.slice(from, from + MAX_SPAN)
  const length = within.search(new RegExp(`(?<!\`)\`{${run.length}}(?!\`)`))
  if (length < 0) return { parts: [text(run)], end: from }
  const content = within.slice(0, length).replace(/\s+/g, " ").trim()
  return {
    parts: [canBeCode(content) ? { _tag: "Code", text: content } : text(content)],
    end: from + length + run.length
  }
}

/** Returns for each opening bracket the index of the one that closes it, unless it is too far away. In one pass. */
const closingBrackets = (source: string): ReadonlyMap<number, number> => {
  const closing = new Map<number, number>()
  const open: Array<number> = []
  for (let index = 0; index < source.length; index += 1) {
    const character = source[index]
    if (character === "\\") index += 1
    else if (character === "[") open.push(index)
    else if (character === "]") {
      const opening = open.pop()
      if (opening !== undefined && index - opening <= MAX_SPAN) closing.set(opening, index)
    }
  }
  return closing
}

const wordsOf = (parts: ReadonlyArray<Inline>): string => parts.map(shown).join("").replace(/\s+/g, " ").trim()

/** A text that looks like an address is replaced by the target; words with an address are shown beside the target. */
const linkTo = (label: string, target: string): ReadonlyArray<Inline> =>
  Option.match(WebUrl.fromText(target), {
    onNone: () => [text(label)],
    onSome: (url): ReadonlyArray<Inline> => {
      if (label === "") return []
      switch (LinkText.look(label)) {
        case "Address":
          return [{ _tag: "Address", url }]
        case "WordsWithAddress":
          return [text(`${label} `), { _tag: "Address", url }]
        case "Words":
          return [{ _tag: "Link", text: label, url }]
      }
    }
  })

/** Reads a link or an image. An image becomes a link to the image; an image in a link, such as a badge, is left out. */
const link = (
  source: string,
  opening: string,
  { end, from }: { readonly from: number; readonly end: number },
  definitions: Definitions,
  depth: number
): Found => {
  const content = source.slice(from, end)
  const target = matchAt(TARGET, source, end + 1)
  const reference = target === null ? matchAt(REFERENCE, source, end + 1) : null
  const name = reference === null || reference[1] === "" ? content : reference[1] ?? ""
  const address = target?.[1] ?? target?.[2] ?? definitions.get(name.trim().toLowerCase())
  if (address === undefined) return { parts: [text(opening)], end: from }
  const isImage = opening === "!["
  const parts = read(content, definitions, depth + 1)
  const words = wordsOf(parts.filter(({ _tag }) => _tag !== "Address"))
  const label = words === "" ? wordsOf(parts) : words
  const after = end + 1 + (target?.[0].length ?? reference?.[0].length ?? 0)
  if (!isImage) return { parts: linkTo(label, address), end: after }
  return { parts: depth > 0 ? [] : linkTo(label === "" ? "image" : label, address), end: after }
}

/** Returns whether all renderers see the emphasis: its marks touch its text, and nothing outside touches its marks. */
const isSafeEmphasis = (content: string, before: string, behind: string): boolean =>
  /^[^\s\p{P}\p{S}]/u.test(content) && /[^\s\\*_~`]$/.test(content) && !/\n/.test(content) && /^$|\s$/.test(before) &&
  /^(?:$|\s|[.,:;!?)](?:\s|$))/.test(behind)

/** Returns whether the mark at the index is the second one of a pair, such as the second star of `**`. */
const endsPair = (source: string, index: number, mark: string): boolean => {
  let same = 0
  while (source[index - same - 1] === mark) same += 1
  return same % 2 === 1
}

const emphasis = (source: string, start: number, mark: string, definitions: Definitions, depth: number): Found => {
  const from = start + mark.length
  const literal: Found = { parts: [text(mark)], end: from }
  const before = source.slice(Math.max(0, start - 1), start)
  if (depth >= MAX_DEPTH || !/^\S/.test(source.slice(from, from + 1)) || /[\p{L}\p{N}]$/u.test(before)) return literal
  const within = source.slice(from, from + MAX_SPAN)
  let end = within.indexOf(mark, 1)
  for (let tries = 0; tries < MAX_TRIES && end > 0; tries += 1) {
    const behind = within.slice(end + mark.length, end + mark.length + 2)
    const isInWord = mark.startsWith("_") && /^[\p{L}\p{N}]/u.test(behind)
    const canClose = /[^\s\\]$/.test(within.slice(end - 1, end)) && !behind.startsWith(mark.charAt(0)) && !isInWord
    if (canClose && !endsPair(within, end, mark)) {
      const content = read(within.slice(0, end), definitions, depth + 1)
      const [only] = content
      const kept: "*" | "**" | "~~" = mark === "~~" ? "~~" : mark.length === 1 ? "*" : "**"
      const parts: ReadonlyArray<Inline> =
        depth === 0 && content.length === 1 && only?._tag === "Text" && isSafeEmphasis(only.text, before, behind)
          ? [{ _tag: "Emphasis", mark: kept, text: only.text }]
          : content.map((part) => part._tag === "Emphasis" ? text(part.text) : part)
      return { parts, end: from + end + mark.length }
    }
    end = within.indexOf(mark, end + 1)
  }
  return literal
}

/** The punctuation that belongs to the text if it is at the end of a URL. */
const URL_END = ".,:;!?'\"]*_~`|"

/** Reads a URL in a text. */
const bareUrl = (match: string, start: number): Found => {
  const balanced = match.includes("(") ? match : match.replace(/\).*$/, "")
  let length = balanced.length
  while (URL_END.includes(balanced.charAt(length - 1))) length -= 1
  const address = balanced.slice(0, length)
  return {
    parts: [Option.match(WebUrl.fromText(address), {
      onNone: () => text(address),
      onSome: (url): Inline => ({ _tag: "Address", url })
    })],
    end: start + address.length
  }
}

/** Reads third-party Markdown within a paragraph, without HTML. */
export const read = (source: string, definitions: Definitions, depth = 0): ReadonlyArray<Inline> => {
  const parts: Array<Inline> = []
  const token = new RegExp(TOKEN)
  let brackets: ReadonlyMap<number, number> | undefined
  let from = 0
  for (let match = token.exec(source); match !== null; match = token.exec(source)) {
    const [mark] = match
    const { index } = match
    parts.push(text(source.slice(from, index)))
    let found: Found = { parts: [text(mark)], end: index + mark.length }
    if (mark.startsWith("\\")) found = { ...found, parts: [text(match[1] ?? "")] }
    else if (mark.startsWith("`")) found = codeSpan(source, index, mark)
    else if (mark === "[" || mark === "![") {
      brackets ??= closingBrackets(source)
      const end = brackets.get(found.end - 1)
      if (depth < MAX_DEPTH && end !== undefined) {
        found = link(source, mark, { from: found.end, end }, definitions, depth)
      }
    } else if (mark.startsWith("<")) {
      const address = mark.slice(1, -1)
      found = { ...found, parts: linkTo(address.replace(/^mailto:/i, ""), address) }
    } else if (mark.startsWith("&")) {
      found = { ...found, parts: [text(Option.getOrElse(entity(mark.slice(1, -1)), () => mark))] }
    } else if (/^h/i.test(mark)) found = bareUrl(mark, index)
    else found = emphasis(source, index, mark, definitions, depth)
    parts.push(...found.parts)
    from = found.end
    token.lastIndex = Math.max(from, index + 1)
  }
  return joined([...parts, text(source.slice(from))])
}
