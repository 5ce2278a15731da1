import type { Effect } from "effect"
import type { IncomingMessage } from "node:http"
import type { Reply } from "./replies/Reply.ts"

/** How the front page leads to a page. */
export interface Link {
  /** The key in the JSON answer of the front page, such as `documentation`. */
  readonly name: string
  /** The text of the link for people. */
  readonly title: string
}

/** What is served at a path of its own, outside of the definition of the API. It needs no credentials. */
export interface Page {
  readonly _tag: "Page"
  /** `GET` by default, which answers `HEAD` as well. */
  readonly method?: "GET" | "POST"
  readonly path: string
  /** Absent for pages that the front page does not mention. */
  readonly link?: Link
  /** Whether its requests are neither logged nor counted: a probe asks every few seconds. */
  readonly isQuiet?: boolean
  /** The same reply to every request, or what makes one. The body of a request is not read. */
  readonly reply: Reply | ((request: IncomingMessage) => Effect.Effect<Reply>)
}
