import { type Node as CommonmarkNode, Parser } from "commonmark"
import discordMarkdown from "discord-markdown"
import { parse as parseDiscord } from "discord-markdown-parser"
import { Predicate, Record } from "effect"
import MarkdownIt from "markdown-it"
import simpleMarkdown, { type SingleNodeParserRule } from "simple-markdown"

/** The result of a renderer for a text. */
export interface Rendering {
  /** Links as `text → target`. */
  readonly links: ReadonlyArray<string>
  /** Mentions, emphasis, headings, lists, tables and all other markup but code, by name, in the order of the text. */
  readonly markup: ReadonlyArray<string>
  readonly code: ReadonlyArray<string>
  /** The whole visible text. */
  readonly shown: string
}

const PLAIN = new Set(["text", "br", "newline", "paragraph", "twemoji", "softbreak", "linebreak", "document", "item"])
const CODE = new Set(["inlineCode", "codeBlock", "code", "code_block", "code_inline", "fence"])

/** A node of the tree of any renderer. */
interface Node {
  readonly kind: string
  readonly text: string
  readonly target: string
  readonly children: ReadonlyArray<Node>
}

const shownBy = ({ children, text }: Node): string => text + children.map(shownBy).join("")

/** Names of the same markup in different renderers. */
const NAMES: { readonly [kind: string]: string } = {
  emph: "em",
  strikethrough: "s",
  strike: "s",
  del: "s",
  block_quote: "blockQuote",
  blockquote: "blockQuote",
  autolink: "link",
  url: "link"
}

const renderingOf = (root: Node): Rendering => {
  const links: Array<string> = []
  const markup: Array<string> = []
  const code: Array<string> = []
  const visit = (node: Node): void => {
    const kind = NAMES[node.kind] ?? node.kind
    if (kind === "link") links.push(`${shownBy(node)} → ${node.target}`)
    else if (CODE.has(kind)) code.push(node.text)
    else if (!PLAIN.has(kind)) markup.push(kind)
    node.children.forEach(visit)
  }
  root.children.forEach(visit)
  return { links, markup, code, shown: shownBy(root) }
}

const stringOf = (value: unknown): string => typeof value === "string" ? value : ""

/** The node of a tree of simple-markdown, and of the parsers that are made with it. */
const simpleNode = (value: unknown): Node => {
  if (Array.isArray(value)) return { kind: "item", text: "", target: "", children: value.map(simpleNode) }
  if (!Predicate.isRecord(value)) return { kind: "text", text: stringOf(value), target: "", children: [] }
  const { content, header, items, cells, name, target, type } = value
  const isLeaf = typeof content === "string"
  return {
    kind: stringOf(type),
    text: isLeaf ? content : type === "br" ? "\n" : type === "twemoji" ? stringOf(name) : "",
    target: stringOf(target),
    children: [...isLeaf ? [] : [content], header, items, cells].filter(Array.isArray).map(simpleNode)
  }
}

const commonmarkNode = (source: string): Node => {
  const read = (node: CommonmarkNode): Node => {
    const children: Array<Node> = []
    for (let child = node.firstChild; child !== null; child = child.next) children.push(read(child))
    const isBreak = node.type === "softbreak" || node.type === "linebreak"
    return {
      kind: node.type,
      text: isBreak ? "\n" : node.literal ?? "",
      target: node.destination ?? "",
      children
    }
  }
  return read(new Parser().parse(source))
}

const markdownIt = new MarkdownIt()

const markdownItNode = (source: string): Node => {
  const read = (tokens: ReturnType<typeof markdownIt.parse>): ReadonlyArray<Node> => {
    const root: Array<Node> = []
    const open: Array<Array<Node>> = [root]
    for (const token of tokens) {
      const siblings = open.at(-1) ?? root
      if (token.nesting === -1) open.pop()
      else if (token.type === "inline") siblings.push(...read(token.children ?? []))
      else {
        const children: Array<Node> = []
        siblings.push({
          kind: token.type.replace(/_open$/, "").replace("list_item", "item"),
          text: token.type === "softbreak" || token.type === "hardbreak" ? "\n" : token.content,
          target: String(token.attrGet("href") ?? ""),
          children
        })
        if (token.nesting === 1) open.push(children)
      }
    }
    return root
  }
  return { kind: "document", text: "", target: "", children: read(markdownIt.parse(source, {})) }
}

const isRule = (rule: unknown): rule is SingleNodeParserRule =>
  Predicate.isRecord(rule) && typeof rule["order"] === "number" && typeof rule["match"] === "function"

/** The rules for embeds, which have links. The package exports a parser without them only. */
const discordParser = simpleMarkdown.parserFor(Record.filter(discordMarkdown.rulesEmbed, isRule))

/** The renderers that chats use, in the order of the decision. simple-markdown renders lines and documents differently. */
export const RENDERERS: { readonly [name: string]: (markdown: string) => Rendering } = {
  "simple-markdown, inline": (markdown) => renderingOf(simpleNode(simpleMarkdown.defaultInlineParse(markdown))),
  "simple-markdown, blocks": (markdown) => renderingOf(simpleNode(simpleMarkdown.defaultBlockParse(markdown))),
  "discord-markdown": (markdown) => renderingOf(simpleNode(discordParser(markdown, { inline: true }))),
  "discord-markdown-parser": (markdown) => renderingOf(simpleNode(parseDiscord(markdown, "extended"))),
  commonmark: (markdown) => renderingOf(commonmarkNode(markdown)),
  "markdown-it": (markdown) => renderingOf(markdownItNode(markdown))
}
