import type { Effect } from "effect"
import type { IncomingMessage } from "node:http"
import type { Reply } from "./replies/Reply.ts"

/** The front page's link to a page. */
export interface Link {
  /** The key in the JSON response of the front page, such as `documentation`. */
  readonly name: string
  /** The text of the link for people. */
  readonly title: string
}

/** A page at its own path, outside of the definition of the API. It needs no credentials. */
export interface Page {
  readonly _tag: "Page"
  /** `GET` by default, which includes `HEAD`. */
  readonly method?: "GET" | "POST"
  readonly path: string
  /** Absent for pages that the front page does not mention. */
  readonly link?: Link
  /** Whether its requests are neither logged nor counted, because probes send one every few seconds. */
  readonly isQuiet?: boolean
  /** The same reply to every request, or a function that makes one. The body of a request is not read. */
  readonly reply: Reply | ((request: IncomingMessage) => Effect.Effect<Reply>)
}
