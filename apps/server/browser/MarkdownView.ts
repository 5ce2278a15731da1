import MarkdownIt, { type Token } from "markdown-it"
import { element, link } from "./Dom.ts"

const markdown = new MarkdownIt({ html: false, linkify: true, breaks: true })

// As in chats, only an address with a scheme is a link.
markdown.linkify.set({ fuzzyLink: false, fuzzyEmail: false })

/** The elements that a text may become. An element of another name becomes a `span`. */
const ELEMENTS = [
  "p",
  "em",
  "strong",
  "s",
  "code",
  "pre",
  "blockquote",
  "ul",
  "ol",
  "li",
  "table",
  "thead",
  "tbody",
  "tr",
  "th",
  "td"
] as const

const make = (token: Token): Node => {
  if (token.tag === "a") return link(String(token.attrGet("href")))
  // A heading in a message must not be a heading of the page.
  if (/^h[1-6]$/.test(token.tag)) return element("p", "heading")
  return element(ELEMENTS.find((name) => name === token.tag) ?? "span", "")
}

/** The node of a token without children. */
const leaf = ({ content, tag, type }: Token): Node => {
  switch (type) {
    case "softbreak":
    case "hardbreak":
      return element("br", "")
    case "hr":
      return element("hr", "")
    case "code_inline":
      return element("code", "", content)
    case "fence":
    case "code_block":
      return element("pre", "", element("code", "", content))
    default:
      // A text; or the alternative text of an image, which would be loaded from another server.
      return document.createTextNode(tag === "img" && content === "" ? "Image" : content)
  }
}

/** Appends the nodes of the tokens. They are made one by one, so that no text is ever parsed as HTML. */
const append = (parent: Node, tokens: ReadonlyArray<Token>): void => {
  const open: Array<Node> = []
  for (const token of tokens) {
    const into = open.at(-1) ?? parent
    if (token.nesting === 1) open.push(token.hidden ? into : into.appendChild(make(token)))
    else if (token.nesting === -1) open.pop()
    else if (token.type === "inline") append(into, token.children ?? [])
    else into.appendChild(leaf(token))
  }
}

/** Renders a text like chat clients. */
export const render = (text: string, className: string): HTMLElement => {
  const made = element("div", className)
  append(made, markdown.parse(text, {}))
  return made
}

/** Renders a text of one line. */
export const renderInline = (text: string): DocumentFragment => {
  const made = document.createDocumentFragment()
  append(made, markdown.parseInline(text, {}))
  return made
}
