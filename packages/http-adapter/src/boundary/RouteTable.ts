import { Option } from "effect"

/** A method and a path pattern such as `/v1/guilds/:guild_id/members-search`. */
export interface Route {
  readonly method: string
  readonly path: string
}

/** What the table has for a request. */
export type Match =
  /** `url` is the request's with its path in one form: percent-encoded as little as can be. */
  | { readonly _tag: "Found"; readonly route: Route; readonly url: string }
  | { readonly _tag: "OtherMethod"; readonly path: string; readonly allow: ReadonlyArray<string> }
  | { readonly _tag: "Unknown" }

/** Finds the route of a request. Paths are compared to the letter: case and slashes matter. */
export type RouteTable = (method: string, url: string) => Match

const UNKNOWN: Match = { _tag: "Unknown" }

const isParameter = (segment: string): boolean => segment.startsWith(":")

/** Percent-decoding; none where it is malformed. */
const decode = (segment: string): Option.Option<string> => {
  if (!segment.includes("%")) return Option.some(segment)
  try {
    return Option.some(decodeURIComponent(segment))
  } catch {
    return Option.none()
  }
}

const decodePath = (path: string): Option.Option<ReadonlyArray<string>> => Option.all(path.split("/").map(decode))

interface Pattern {
  readonly path: string
  readonly segments: ReadonlyArray<string>
  readonly routes: ReadonlyArray<Route>
}

const matches = (pattern: Pattern, segments: ReadonlyArray<string>): boolean =>
  pattern.segments.length === segments.length &&
  pattern.segments.every((segment, index) =>
    isParameter(segment) ? segments[index] !== "" : segment === segments[index]
  )

const fill = (pattern: Pattern, segments: ReadonlyArray<string>): string =>
  pattern.segments
    .map((segment, index) => isParameter(segment) ? encodeURIComponent(segments[index] ?? "") : segment)
    .join("/")

/** Patterns in which fixed segments come before parameters, so that the first match is the closest. */
const patternsOf = (routes: ReadonlyArray<Route>): ReadonlyArray<Pattern> =>
  Array.from(new Set(routes.map(({ path }) => path)))
    .map((path) => ({ path, segments: path.split("/"), routes: routes.filter((route) => route.path === path) }))
    .sort((self, that) => self.segments.filter(isParameter).length - that.segments.filter(isParameter).length)

/** The methods of a path: `HEAD` goes with `GET`, `OPTIONS` with all. */
const allowed = (pattern: Pattern): ReadonlyArray<string> => [
  ...pattern.routes.flatMap(({ method }) => method === "GET" ? ["GET", "HEAD"] : [method]),
  "OPTIONS"
]

/** The table of some routes. */
export const make = (routes: ReadonlyArray<Route>): RouteTable => {
  const patterns = patternsOf(routes)
  return (method, url) => {
    const target = url.startsWith("/") ? url : url.replace(/^https?:\/\/[^/?]*/i, "")
    const queryAt = target.indexOf("?")
    const path = queryAt === -1 ? target : target.slice(0, queryAt)
    const query = queryAt === -1 ? "" : target.slice(queryAt)
    const segments = Option.getOrUndefined(decodePath(path))
    if (segments === undefined) return UNKNOWN
    const pattern = patterns.find((candidate) => matches(candidate, segments))
    if (pattern === undefined) return UNKNOWN
    const route = pattern.routes.find((candidate) =>
      candidate.method === method || (method === "HEAD" && candidate.method === "GET")
    )
    return route === undefined
      ? { _tag: "OtherMethod", path: pattern.path, allow: allowed(pattern) }
      : { _tag: "Found", route, url: fill(pattern, segments) + query }
  }
}
