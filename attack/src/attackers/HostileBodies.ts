import { attackerToken, GUILD, webhookPath } from "../community/Community.ts"
import type { Sent } from "../traffic/HttpExchange.ts"

/*
 * Bodies that are within the limits of a naive server, and cost it far more than their sender.
 */

const MEBIBYTE = 2 ** 20

/** The bytes of a body that are left for the other fields. */
const OTHER_FIELDS = 200

const SENDER = "\"sender\":{\"id\":1,\"login\":\"a\"}"

/** As many copies of the piece as fit, separated by commas. */
const many = (piece: string, bytes: number): string => {
  const count = Math.floor((bytes + 1) / (piece.length + 1))
  return `${piece},`.repeat(count).slice(0, -1)
}

const nested = (bytes: number): string => {
  const depth = Math.floor(bytes / 2)
  return "[".repeat(depth) + "]".repeat(depth)
}

const notification = (fields: string): Buffer => Buffer.from(`{${SENDER},${fields}}`)

/** A hostile body, and the request that sends it. */
export interface HostileBody {
  readonly name: string
  /** At most that many bytes. */
  readonly body: (bytes: number) => Buffer
  /** The largest body that the operation accepts. */
  readonly limit: number
  readonly request: (turn: number, body: Buffer) => Sent
}

const codeHost = (name: string, fields: (bytes: number) => string, event = "push"): HostileBody => ({
  name: `code host: ${name}`,
  limit: 25 * MEBIBYTE,
  body: (bytes) => notification(fields(bytes - OTHER_FIELDS)),
  request: (turn, body) => ({ path: `${webhookPath(turn)}/github`, headers: { "x-github-event": event }, body })
})

/** Bodies of two sizes: the general limit, and a small one for operations with a lower limit. */
const json = (
  name: string,
  text: (bytes: number) => string,
  request: (turn: number, body: Buffer) => Sent
): ReadonlyArray<HostileBody> =>
  [["large", MEBIBYTE] as const, ["small", 16 * 1024] as const].map(([size, limit]) => ({
    name: `${name}, ${size}`,
    limit,
    body: (bytes) => Buffer.from(text(bytes - OTHER_FIELDS)),
    request
  }))

const byBot = (path: string) => (turn: number, body: Buffer): Sent => ({
  path,
  headers: { authorization: `Bot ${attackerToken(turn)}` },
  body
})

const search = byBot(`/v1/guilds/${GUILD}/members-search`)
const consent = byBot("/v1/oauth2/authorize/consent")
const sentry = (turn: number, body: Buffer): Sent => ({ path: `${webhookPath(turn)}/sentry`, body })

export const HOSTILE_BODIES: ReadonlyArray<HostileBody> = [
  codeHost("commits of numbers", (bytes) => `"commits":[${many("0", bytes)}]`),
  codeHost("commits of empty objects", (bytes) => `"commits":[${many("{}", bytes)}]`),
  codeHost(
    "commits of wrong fields",
    (bytes) => `"commits":[${many("{\"id\":1,\"message\":2,\"url\":3}", bytes)}]`
  ),
  codeHost("nested arrays", (bytes) => `"commits":${nested(bytes)}`),
  codeHost("nested arrays in an unknown field", (bytes) => `"unknown":${nested(bytes)}`),
  codeHost("unknown field of objects", (bytes) => `"unknown":[${many("{\"a\":{\"b\":[]}}", bytes)}]`),
  codeHost("unknown field of keys", (bytes) => `"unknown":{${many("\"\":0", bytes)}}`),
  codeHost("one long text", (bytes) => `"commits":[{"message":"${"<!--[](".repeat(bytes / 7)}"}]`),
  codeHost("one long number", (bytes) => `"commits":[${"9".repeat(bytes)}]`),
  codeHost("escapes", (bytes) => `"ref":"${"\\u0000".repeat(bytes / 6)}"`),
  codeHost(
    "check_run of pull requests",
    (bytes) => `"action":"completed","check_run":{"pull_requests":[${many("{\"number\":1}", bytes)}]}`,
    "check_run"
  ),
  ...json("error tracker: body of empty objects", (bytes) => `[${many("{}", bytes)}]`, sentry),
  ...json(
    "error tracker: body of unknown objects",
    (bytes) => `{"data":{"issue":{"tags":[${many("{}", bytes)}]}}}`,
    sentry
  ),
  ...json("search: role_ids of zeros", (bytes) => `{"role_ids":[${many("0", bytes)}]}`, search),
  ...json("search: role_ids of texts", (bytes) => `{"role_ids":[${many("\"0\"", bytes)}]}`, search),
  ...json("search: join_source_type of nulls", (bytes) => `{"join_source_type":[${many("null", bytes)}]}`, search),
  ...json("search: long query", (bytes) => `{"query":"${"ﷺ ".repeat(bytes / 4)}"}`, search),
  ...json("consent: scope of bots", (bytes) => `{"client_id":"1002","scope":"${"bot ".repeat(bytes / 4)}"}`, consent),
  ...json(
    "consent: long digits",
    (bytes) => `{"client_id":"${"9".repeat(bytes / 2)}","scope":"bot","permissions":"${"9".repeat(bytes / 2)}"}`,
    consent
  )
]
