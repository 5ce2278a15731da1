import { attackerToken, GUILD, webhookPath } from "../community/Community.ts"
import type { Sent } from "../traffic/HttpExchange.ts"

/*
 * Bodies that are within every limit of a naive server, and cost it far more than their sender.
 */

const MEBIBYTE = 2 ** 20

/** The limit of code-hosting notifications, less a little for the fields around. */
const NOTIFICATION = 25 * MEBIBYTE - 200

const BODY = MEBIBYTE - 200

const SENDER = "\"sender\":{\"id\":1,\"login\":\"a\"}"

/** As many of the piece as fit, with commas between. */
const many = (piece: string, bytes: number): string => {
  const count = Math.floor((bytes + 1) / (piece.length + 1))
  return `${piece},`.repeat(count).slice(0, -1)
}

const nested = (bytes: number): string => {
  const depth = Math.floor(bytes / 2)
  return "[".repeat(depth) + "]".repeat(depth)
}

const notification = (fields: string): Buffer => Buffer.from(`{${SENDER},${fields}}`)

/** A hostile body, and whoever may send it. */
export interface HostileBody {
  readonly name: string
  readonly body: () => Buffer
  readonly request: (turn: number, body: Buffer) => Sent
}

const codeHost = (name: string, fields: () => string, event = "push"): HostileBody => ({
  name,
  body: () => notification(fields()),
  request: (turn, body) => ({ path: `${webhookPath(turn)}/github`, headers: { "x-github-event": event }, body })
})

const json = (name: string, text: () => string, request: (turn: number, body: Buffer) => Sent): HostileBody => ({
  name,
  body: () => Buffer.from(text()),
  request
})

const byBot = (path: string) => (turn: number, body: Buffer): Sent => ({
  path,
  headers: { authorization: `Bot ${attackerToken(turn)}` },
  body
})

const search = byBot(`/v1/guilds/${GUILD}/members-search`)
const consent = byBot("/v1/oauth2/authorize/consent")
const sentry = (turn: number, body: Buffer): Sent => ({ path: `${webhookPath(turn)}/sentry`, body })

export const HOSTILE_BODIES: ReadonlyArray<HostileBody> = [
  codeHost("25 MiB, commits of numbers", () => `"commits":[${many("0", NOTIFICATION - 20)}]`),
  codeHost("25 MiB, commits of empty objects", () => `"commits":[${many("{}", NOTIFICATION - 20)}]`),
  codeHost(
    "25 MiB, commits of wrong fields",
    () => `"commits":[${many("{\"id\":1,\"message\":2,\"url\":3}", NOTIFICATION - 20)}]`
  ),
  codeHost("25 MiB, nested arrays", () => `"commits":${nested(NOTIFICATION - 20)}`),
  codeHost("25 MiB, nested arrays in an unknown field", () => `"unknown":${nested(NOTIFICATION - 20)}`),
  codeHost("25 MiB, unknown field of objects", () => `"unknown":[${many("{\"a\":{\"b\":[]}}", NOTIFICATION - 20)}]`),
  codeHost("25 MiB, unknown field of keys", () => `"unknown":{${many("\"\":0", NOTIFICATION - 20)}}`),
  codeHost("25 MiB, one long text", () => `"commits":[{"message":"${"<!--[](".repeat((NOTIFICATION - 60) / 7)}"}]`),
  codeHost("25 MiB, one long number", () => `"commits":[${"9".repeat(NOTIFICATION - 20)}]`),
  codeHost("25 MiB, escapes", () => `"ref":"${"\\u0000".repeat((NOTIFICATION - 20) / 6)}"`),
  codeHost("25 MiB, check_run of pull requests", () =>
    `"action":"completed","check_run":{"pull_requests":[${many("{\"number\":1}", NOTIFICATION - 80)}]}`, "check_run"),
  json("1 MiB, Sentry body of empty objects", () => `[${many("{}", BODY)}]`, sentry),
  json("1 MiB, Sentry body of unknown objects", () => `{"data":{"issue":{"tags":[${many("{}", BODY)}]}}}`, sentry),
  json("1 MiB, role_ids of zeros", () => `{"role_ids":[${many("0", BODY)}]}`, search),
  json("1 MiB, role_ids of texts", () => `{"role_ids":[${many("\"0\"", BODY)}]}`, search),
  json("1 MiB, join_source_type of nulls", () => `{"join_source_type":[${many("null", BODY)}]}`, search),
  json("1 MiB, long query", () => `{"query":"${"ﷺ ".repeat(BODY / 4 - 8)}"}`, search),
  json("1 MiB, scope of bots", () => `{"client_id":"1002","scope":"${"bot ".repeat(BODY / 4 - 12)}"}`, consent),
  json(
    "1 MiB, long digits",
    () => `{"client_id":"${"9".repeat(BODY / 2 - 30)}","scope":"bot","permissions":"${"9".repeat(BODY / 2 - 30)}"}`,
    consent
  )
]
