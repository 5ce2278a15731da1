import { clean, EMPTY, type Markdown, markdown } from "../Markdown.ts"
import type { Block, Body } from "./Body.ts"
import * as HtmlInMarkdown from "./HtmlInMarkdown.ts"
import { type Definitions, read as readInlines } from "./InlineReader.ts"

/**
 * The maximum number of UTF-16 units that are read of a body: many times what a message shows, because templates begin
 * with long comments.
 */
export const MAX_READ = 8192

const DEFINITION = /^ {0,3}\[([^^[\]\n][^[\]\n]{0,199})\]:[ \t]*<?([^\s<>]+)>?(?:[ \t]+["'(][^\n]*)?$/gm
const FENCE = /^\s{0,7}(`{3,}|~{3,})/
const HEADING = /^ {0,3}#{1,6}(?![^ \t])(.*)$/
const HEADING_END = /(?:^|[ \t])#+$/
const UNDERLINE = /^ {0,3}(?:=+|-+)$/
const RULE = /^ {0,3}(?:(?:-[ \t]*){3,}|(?:\*[ \t]*){3,}|(?:_[ \t]*){3,})$/
const ITEM = /^([ \t]*)([-*+]|\d{1,9}[.)])(?:[ \t]+(.*))?$/
const QUOTE = /^ {0,3}(?:> ?)+(.*)$/
const TABLE_RULE = /^ {0,3}\|?(?:[ \t]*:?-+:?[ \t]*\|)+(?:[ \t]*:?-+:?[ \t]*)?$/

/** A block whose lines are not read yet. */
interface Open {
  readonly kind: Exclude<Block["_tag"], "CodeBlock">
  readonly marker: Markdown
  readonly lines: Array<string>
}

const open = (kind: Open["kind"], line: string, marker = EMPTY): Open => ({ kind, marker, lines: [line] })

/** The beginning of a code block. `indent` is the number of characters before its mark. */
interface Fence {
  readonly mark: string
  readonly indent: number
  readonly language: string
}

/** Returns the fence of a code block and what follows it, if the line has one. */
const fenceOf = (line: string): Fence | undefined => {
  const [start = "", mark = ""] = FENCE.exec(line) ?? []
  const rest = line.slice(start.length)
  return mark === "" || rest.includes("`")
    ? undefined
    : { mark, indent: start.length - mark.length, language: /\S+/.exec(rest)?.[0] ?? "" }
}

/** `[!NOTE]`, the first line of an alert. */
const withoutAlert = (line: string): string =>
  line.replace(
    /^\[!([a-z])([a-z]+)\]$/i,
    (_, first: string, rest: string) => `${first.toUpperCase()}${rest.toLowerCase()}:`
  )

const withCheckbox = (text: string): string =>
  text.replace(/^\[([ x])\](?=\s)/i, (_, mark: string) => mark === " " ? "☐" : "☑")

/** Cells of a table, without the lines around them. */
const withoutOuterPipes = (line: string): string => /^\s*\|.*\|\s*$/.test(line) ? line.trim().slice(1, -1).trim() : line

const close = ({ kind, lines, marker }: Open, definitions: Definitions): ReadonlyArray<Block> => {
  const separator = kind === "Item" || kind === "Heading" ? " " : "\n"
  const source = lines.map((line) => line.trim().replace(/\\$/, "")).join(separator).trim()
  const content = readInlines(source, definitions)
  return content.length === 0 ? [] : [{ _tag: kind, marker, content }]
}

/** Reads the block that begins with this line; undefined if the line continues the block before it. */
const begin = (line: string, before: Open["kind"] | undefined, isInList: boolean): Open | undefined => {
  const heading = HEADING.exec(line)
  if (heading !== null) return open("Heading", heading[1]?.trim().replace(HEADING_END, "") ?? "")
  const item = ITEM.exec(line)
  if (item !== null) {
    const [, indent = "", sign = "", text = ""] = item
    const isNested = isInList && /^(?:\t| {2})/.test(indent)
    const number = Number.parseInt(sign, 10)
    const marker = Number.isNaN(number) ? markdown`-` : markdown`${number}.`
    if (isNested || indent.length < 4) {
      return open("Item", withCheckbox(text), isNested ? markdown`  ${marker}` : marker)
    }
  }
  const quote = QUOTE.exec(line)
  if (quote !== null && before !== "Quote") return open("Quote", withoutAlert(quote[1] ?? ""))
  return before === undefined || before === "Heading" ? open("Paragraph", withoutOuterPipes(line)) : undefined
}

const readBlocks = (source: string, definitions: Definitions): ReadonlyArray<Block> => {
  const blocks: Array<Block> = []
  let current: Open | undefined
  let isInList = false
  let fence: Fence & { readonly lines: Array<string> } | undefined
  const end = (): void => {
    if (current !== undefined) blocks.push(...close(current, definitions))
    current = undefined
  }
  const endFence = (): void => {
    const text = fence?.lines.join("\n").replace(/^\n+/, "").trimEnd() ?? ""
    if (text !== "") blocks.push({ _tag: "CodeBlock", language: fence?.language ?? "", text })
    fence = undefined
  }
  for (const line of source.split("\n")) {
    const found = fenceOf(line)
    if (fence !== undefined) {
      if (found?.language === "" && found.mark.startsWith(fence.mark)) endFence()
      // As far as the fence is indented, so is its code: in a list item, for example.
      else fence.lines.push(line.slice(Math.min(fence.indent, line.search(/\S|$/))))
    } else if (found !== undefined) {
      end()
      fence = { ...found, lines: [] }
    } else if (current?.kind === "Paragraph" && UNDERLINE.test(line)) {
      current = { ...current, kind: "Heading" }
      end()
    } else if (line.trim() === "" || RULE.test(line)) {
      end()
    } else if (!TABLE_RULE.test(line)) {
      const next = begin(line, current?.kind, isInList)
      if (next === undefined) {
        current?.lines.push(current.kind === "Quote" ? QUOTE.exec(line)?.[1] ?? line : withoutOuterPipes(line))
      } else {
        end()
        current = next
        isInList = next.kind === "Item"
      }
    }
  }
  end()
  endFence()
  return blocks
}

/** Reads third-party Markdown with HTML. */
export const read = (source: string): Body => {
  const converted = HtmlInMarkdown.convert(clean(source.slice(0, MAX_READ)))
  const definitions = new Map<string, string>()
  const withoutDefinitions = converted.markdown.replace(DEFINITION, (_, name: string, target: string) => {
    definitions.set(name.trim().toLowerCase(), target)
    return ""
  })
  return {
    blocks: readBlocks(withoutDefinitions, definitions),
    isComplete: !converted.hidden && source.length <= MAX_READ
  }
}
