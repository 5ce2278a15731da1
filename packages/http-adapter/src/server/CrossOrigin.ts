import type { IncomingMessage } from "node:http"
import { ofStatus } from "../ResponseHeaders.ts"
import type { AllowedOrigins } from "./AllowedOrigins.ts"
import type { Headers } from "./replies/Reply.ts"
import { targetOf } from "./Routes.ts"

/** Returns the headers that let pages of other origins read a response, names and values alternately. */
export type CrossOrigin = (request: IncomingMessage, replied: Headers) => ReadonlyArray<string>

/** The headers of responses that scripts may read besides the CORS-safelisted ones. */
const EXPOSED = Object.keys({ ...ofStatus("503"), ...ofStatus("401") }).join(", ")

/** How long browsers may cache a preflight response, in seconds. No browser caches it longer. */
const MAX_AGE_SECONDS = "7200"

const NONE: ReadonlyArray<string> = []

/** The path of the API below the prefix. Other paths, such as pages with credentials, are for this server's pages alone. */
const API = "/v1/"

/**
 * The CORS protocol (WHATWG Fetch, 3.3) for the API. There is no credentials mode: clients send their credentials in
 * `Authorization`, and no cookies. A preflight request is an `OPTIONS` request, whose reply has `Allow`. It allows all
 * headers that the client wants to send, because none gives a page more rights.
 */
export const make = (allowed: AllowedOrigins, prefix: string): CrossOrigin => {
  const vary = allowed === "*" ? NONE : ["vary", "origin"]
  return (request, replied) => {
    if (!targetOf(request).path.startsWith(`${prefix}${API}`)) return NONE
    const { headers, method } = request
    const { origin } = headers
    if (origin === undefined || (allowed !== "*" && !allowed.has(origin))) return vary
    const shared = [...vary, "access-control-allow-origin", allowed === "*" ? "*" : origin]
    if (method !== "OPTIONS" || headers["access-control-request-method"] === undefined) {
      return [...shared, "access-control-expose-headers", EXPOSED]
    }
    const wanted = headers["access-control-request-headers"]
    return [
      ...shared,
      "access-control-allow-methods",
      replied["allow"] ?? "",
      ...(wanted === undefined ? NONE : ["access-control-allow-headers", wanted]),
      "access-control-max-age",
      MAX_AGE_SECONDS
    ]
  }
}
