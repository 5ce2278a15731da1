/** A method, or `*` for any, and a path pattern such as `/guilds/:guild_id/members` or `/files/*`. */
export interface Route {
  readonly method: string
  readonly path: string
}

/** The parameters of a path, percent-decoded; what stands for `*` is named so. */
export type PathParameters = Readonly<Record<string, string>>

/** What the table has for a request. */
export type Match<R extends Route> =
  | { readonly _tag: "Found"; readonly route: R; readonly params: PathParameters }
  | { readonly _tag: "OtherMethod"; readonly path: string; readonly allow: ReadonlyArray<string> }
  | { readonly _tag: "Unknown" }

/** Finds the route of a method and a path (the target of the request without its query). */
export type RouteTable<R extends Route> = (method: string, path: string) => Match<R>

const WILDCARD = "*"

const UNKNOWN = { _tag: "Unknown" } as const

const NO_PARAMETERS: PathParameters = {}

/** All routes of one path pattern. */
interface Pattern<R extends Route> {
  readonly path: string
  readonly segments: ReadonlyArray<string>
  readonly routes: ReadonlyArray<R>
}

const isParameter = (segment: string): boolean => segment.startsWith(":")

const isFixed = (segment: string): boolean => segment !== WILDCARD && !isParameter(segment)

const assertPlain = (path: string): void => {
  const segments = path.split("/")
  const plain =
    segments.every((segment, index) =>
      segment === WILDCARD ? index === segments.length - 1 : isParameter(segment) || /^[^:*?()]*$/.test(segment)
    ) && segments.every((segment) => !isParameter(segment) || /^:\w+$/.test(segment))
  if (!plain) throw new Error(`Only whole segments may be parameters, and only the last one a wildcard: ${path}`)
}

/** The methods of a path: `HEAD` goes with `GET`, `OPTIONS` with all. */
const allowed = (routes: ReadonlyArray<Route>): ReadonlyArray<string> =>
  Array.from(new Set([...routes.flatMap(({ method }) => method === "GET" ? ["GET", "HEAD"] : [method]), "OPTIONS"]))

/** How far a segment is from naming one: what is fixed comes before parameters, those before a wildcard. */
const looseness = (segment: string): number => isFixed(segment) ? 0 : isParameter(segment) ? 1 : 2

/** In the order in which patterns are tried: where two differ first, the closer one. */
const closerFirst = (self: Pattern<Route>, that: Pattern<Route>): number => {
  const differences = self.segments.map((segment, index) => looseness(segment) - looseness(that.segments[index] ?? ""))
  return differences.find((difference) => difference !== 0) ?? 0
}

const patternsOf = <R extends Route>(routes: ReadonlyArray<R>): ReadonlyArray<Pattern<R>> =>
  Array.from(new Set(routes.map(({ path }) => path)))
    .map((path) => {
      assertPlain(path)
      return { path, segments: path.split("/"), routes: routes.filter((route) => route.path === path) }
    })
    .sort(closerFirst)

/** The route of a pattern for a method: a `GET` answers `HEAD`, too. */
const routeFor = <R extends Route>({ routes }: Pattern<R>, method: string): R | undefined =>
  routes.find((route) => route.method === method) ??
    routes.find((route) => route.method === WILDCARD || (method === "HEAD" && route.method === "GET"))

/** The segments of a path, percent-decoded; undefined where one is malformed. */
const decode = (path: string): ReadonlyArray<string> | undefined => {
  const segments = path.split("/")
  if (!path.includes("%")) return segments
  try {
    return segments.map(decodeURIComponent)
  } catch {
    return undefined
  }
}

const matches = (pattern: Pattern<Route>, segments: ReadonlyArray<string>): boolean => {
  const wild = pattern.segments.at(-1) === WILDCARD
  if (wild ? segments.length < pattern.segments.length : segments.length !== pattern.segments.length) return false
  return pattern.segments.every((segment, index) =>
    segment === WILDCARD || (isParameter(segment) ? segments[index] !== "" : segment === segments[index])
  )
}

const parametersOf = (pattern: Pattern<Route>, segments: ReadonlyArray<string>): PathParameters =>
  Object.fromEntries(pattern.segments.flatMap((segment, index): ReadonlyArray<readonly [string, string]> => {
    if (segment === WILDCARD) return [[WILDCARD, segments.slice(index).join("/")]]
    return isParameter(segment) ? [[segment.slice(1), segments[index] ?? ""]] : []
  }))

/**
 * The table of some routes. Paths are compared to the letter: case and slashes matter. Dies of a pattern in which a
 * parameter is a part of a segment, optional, or a regular expression: those are not for this table.
 */
export const make = <R extends Route>(routes: ReadonlyArray<R>): RouteTable<R> => {
  const patterns = patternsOf(routes)
  // A path that is a pattern itself is found without being taken apart.
  const fixed = new Map(
    patterns.filter(({ segments }) => segments.every(isFixed)).map((pattern) => [pattern.path, pattern])
  )

  return (method, path) => {
    const known = fixed.get(path)
    const own = known && routeFor(known, method)
    if (own !== undefined) return { _tag: "Found", route: own, params: NO_PARAMETERS }
    const segments = decode(path)
    if (segments === undefined) return UNKNOWN
    const matching = patterns.filter((pattern) => matches(pattern, segments))
    for (const pattern of matching) {
      const route = routeFor(pattern, method)
      if (route !== undefined) return { _tag: "Found", route, params: parametersOf(pattern, segments) }
    }
    const [closest] = matching
    return closest === undefined
      ? UNKNOWN
      : { _tag: "OtherMethod", path: closest.path, allow: allowed(matching.flatMap((pattern) => pattern.routes)) }
  }
}
