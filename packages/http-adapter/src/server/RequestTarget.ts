import type { IncomingMessage } from "node:http"

/** A request's target (RFC 9112, 3.2), in two parts. */
export interface RequestTarget {
  readonly path: string
  /** Without its question mark. */
  readonly query: string
}

/** The target as the client sent it. Express and Connect keep it when they cut the path of a mounted application. */
const sent = (source: IncomingMessage): string =>
  "originalUrl" in source && typeof source.originalUrl === "string" ? source.originalUrl : source.url ?? ""

const ORIGIN = /^https?:\/\/[^/?]+/i

/** The target in origin form. Without a path, it is `/`, and for `OPTIONS` the server as a whole (RFC 9110, 4.2.3). */
const inOriginForm = (url: string, method: string | undefined): string => {
  if (!ORIGIN.test(url)) return url
  const target = url.replace(ORIGIN, "")
  return target.startsWith("/") ? target : `${method === "OPTIONS" ? "*" : "/"}${target}`
}

/** The path and the query of a request's target, in origin or absolute form. */
export const of = (source: IncomingMessage): RequestTarget => {
  const url = sent(source)
  const target = url.startsWith("/") ? url : inOriginForm(url, source.method)
  const queryAt = target.indexOf("?")
  return queryAt === -1
    ? { path: target, query: "" }
    : { path: target.slice(0, queryAt), query: target.slice(queryAt + 1) }
}
