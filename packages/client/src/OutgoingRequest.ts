import type { CallOptions, Settings } from "./ClientOptions.ts"
import type { Operation } from "./Operation.ts"

/** A value of a query or header parameter. */
type ParameterValue = string | number | boolean

/** The parts of a request that a caller passes to an operation. */
export interface RequestParts {
  readonly path?: Readonly<Record<string, string>>
  readonly query?: Readonly<Record<string, ParameterValue | ReadonlyArray<ParameterValue> | undefined>>
  readonly headers?: Readonly<Record<string, ParameterValue | undefined>>
  readonly body?: unknown
}

const PARTS: ReadonlyArray<keyof RequestParts> = ["path", "query", "headers", "body"]

/** Shorter texts are not secrets, and occur in messages by chance. */
const SHORTEST_SECRET = 8

/** The ids in a path are not secret: the messages of the API contain them. */
const isId = (text: string): boolean => /^\d+$/.test(text)

/** A request that is ready to be sent, any number of times. */
export interface OutgoingRequest {
  readonly url: string
  readonly init: RequestInit
  readonly headers: Headers
  /** The texts that no message may contain. */
  readonly secrets: ReadonlyArray<string>
}

const checkNames = (id: string, part: string, given: object, known: ReadonlyArray<string>): void => {
  const unknown = Object.keys(given).find((name) => !known.includes(name))
  if (unknown !== undefined) {
    throw new TypeError(`${id} has no parameter ${part}${unknown}`)
  }
}

const PARAMETER = /\{(\w+)\}/g

/** Fills in the parameters of a path. `.` and `..` would change the path, also if they are escaped. */
const pathOf = ({ id, path }: Operation, parameters: RequestParts["path"] = {}): string => {
  checkNames(id, "path.", parameters, Array.from(path.matchAll(PARAMETER), ([, name = ""]) => name))
  return path.replaceAll(PARAMETER, (_, name: string) => {
    const value: unknown = parameters[name]
    if (typeof value !== "string" || value === "" || /^\.{1,2}$|\p{Cs}/u.test(value)) {
      throw new TypeError(`${id}: path.${name} must be a text that is not empty, . or ..`)
    }
    return encodeURIComponent(value)
  })
}

const queryOf = ({ id, query: known }: Operation, given: RequestParts["query"] = {}): string => {
  checkNames(id, "query.", given, known)
  const query = new URLSearchParams()
  for (const [name, value] of Object.entries(given)) {
    const values = value === undefined ? [] : Array.isArray(value) ? value : [value]
    for (const each of values) query.append(name, String(each))
  }
  const text = query.toString()
  return text === "" ? "" : `?${text}`
}

const authorizationOf = ({ credentials: kind, id }: Operation, { credentials }: Settings): string | undefined => {
  if (kind === "none") return undefined
  const token = credentials[kind]
  if (token === undefined) throw new TypeError(`${id} needs credentials.${kind}`)
  return `${kind === "bot" ? "Bot" : "Admin"} ${token}`
}

const headersOf = (
  operation: Operation,
  given: RequestParts["headers"] = {},
  authorization: string | undefined,
  { requestId }: CallOptions
): Headers => {
  const { body, headers: known, id, response } = operation
  checkNames(id, "headers.", given, known)
  const headers = new Headers({ accept: response === "events" ? "text/event-stream" : "application/json" })
  for (const [name, value] of Object.entries(given)) {
    if (value !== undefined) headers.set(name, String(value))
  }
  if (body) headers.set("content-type", "application/json")
  if (authorization !== undefined) headers.set("authorization", authorization)
  if (requestId !== undefined) headers.set("x-request-id", requestId)
  return headers
}

/** Makes a request from the parts. Throws a `TypeError` that names the wrong part. */
export const outgoingRequest = (
  settings: Settings,
  operation: Operation,
  parts: RequestParts,
  options: CallOptions
): OutgoingRequest => {
  checkNames(operation.id, "", parts, PARTS)
  const { headers, path, query } = parts
  const body: unknown = operation.body ? JSON.stringify(parts.body) : undefined
  if (operation.body && typeof body !== "string") throw new TypeError(`${operation.id} needs a body`)
  if (!operation.body && parts.body !== undefined) throw new TypeError(`${operation.id} has no body`)
  const authorization = authorizationOf(operation, settings)
  const { admin, bot } = settings.credentials
  return {
    url: `${settings.baseUrl}${pathOf(operation, path)}${queryOf(operation, query)}`,
    headers: headersOf(operation, headers, authorization, options),
    init: {
      method: operation.method,
      ...(typeof body === "string" && { body }),
      // Credentials are for this address only, and the API never redirects.
      redirect: "manual",
      credentials: "omit"
    },
    secrets: [bot, admin, ...Object.values(path ?? {}).filter((value) => !isId(value))].flatMap((secret) =>
      secret !== undefined && secret.length >= SHORTEST_SECRET ? [secret, encodeURIComponent(secret)] : []
    )
  }
}
