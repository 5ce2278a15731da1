import type { Markdown } from "../Markdown.ts"
import type { WebUrl } from "../WebUrl.ts"

/** A part of a line. A text can have line breaks. */
export type Inline =
  | { readonly _tag: "Text"; readonly text: string }
  | { readonly _tag: "Emphasis"; readonly mark: "*" | "**" | "~~"; readonly text: string }
  | { readonly _tag: "Code"; readonly text: string }
  /** A link with a separate text. */
  | { readonly _tag: "Link"; readonly text: string; readonly url: WebUrl }
  /** A link whose text is its URL. */
  | { readonly _tag: "Address"; readonly url: WebUrl }

/** A part of a body that begins and ends with a line. */
export type Block =
  | {
    readonly _tag: "Paragraph" | "Heading" | "Quote" | "Item"
    /** What is before the text of an item: a hyphen or its number, indented in a nested list. Empty in other blocks. */
    readonly marker: Markdown
    readonly content: ReadonlyArray<Inline>
  }
  | { readonly _tag: "CodeBlock"; readonly language: string; readonly text: string }

/**
 * The visible content of the body of an issue, a comment or the like. All texts are literal, without markup. `isComplete` is
 * false if the body continues, or has sections that the host shows only on request.
 */
export interface Body {
  readonly blocks: ReadonlyArray<Block>
  readonly isComplete: boolean
}
