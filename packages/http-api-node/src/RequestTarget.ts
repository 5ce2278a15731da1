import { parse } from "node:querystring"

/** A query's parameters, percent-decoded: a list where one is given more than once. */
export type Query = Readonly<Record<string, string | Array<string>>>

/** What a request asks for (RFC 9112, 3.2), without scheme and host. */
export interface RequestTarget {
  readonly path: string
  /** With its question mark, or empty. */
  readonly query: string
}

/** The parts of a request's target, in origin or absolute form. */
export const split = (url: string): RequestTarget => {
  const target = url.startsWith("/") ? url : url.replace(/^https?:\/\/[^/?]*/i, "")
  const queryAt = target.indexOf("?")
  return queryAt === -1
    ? { path: target, query: "" }
    : { path: target.slice(0, queryAt), query: target.slice(queryAt) }
}

const EMPTY: Query = Object.freeze({})

/** What is malformed stays as it is. */
const decode = (text: string): string => {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

/** The parameters of a query with its question mark. */
export const parameters = (query: string): Query => {
  if (query.length <= 1) return EMPTY
  const found = Object.entries(parse(query.slice(1), "&", "=", { decodeURIComponent: decode, maxKeys: 0 }))
  return Object.fromEntries(
    found.flatMap(([name, value]): ReadonlyArray<readonly [string, string | Array<string>]> =>
      value === undefined ? [] : [[name, value]]
    )
  )
}
