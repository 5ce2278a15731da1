import type { SeededRandom } from "@community-messaging/bench/report/SeededRandom"
import { Api } from "@community-messaging/http-adapter/Api"
import * as HttpApi from "@effect/platform/HttpApi"
import { Arbitrary, FastCheck, Option, Predicate, Schema } from "effect"
import {
  APPLICATION,
  attackerToken,
  GUILD,
  REDIRECT_URI,
  targetId,
  TOKEN,
  webhookId,
  webhookToken
} from "../community/Community.ts"
import type { Sent } from "../traffic/HttpExchange.ts"
import { breakText, mutate } from "./Mutation.ts"

/*
 * Requests from the definition of the API, and variations of them.
 */

/** An endpoint, and bodies from its schema. */
interface Target {
  readonly method: string
  readonly path: string
  readonly bodies: FastCheck.Arbitrary<unknown>
}

const targets = (): ReadonlyArray<Target> => {
  const found: Array<Target> = []
  HttpApi.reflect(Api, {
    onGroup: () => {},
    onEndpoint: ({ endpoint }) => {
      const payload: Option.Option<Schema.Schema.All> = endpoint.payloadSchema
      found.push({
        method: endpoint.method,
        path: endpoint.path,
        bodies: Option.match(payload, {
          onNone: () => FastCheck.constant(undefined),
          onSome: ({ ast }) => Arbitrary.make(Schema.encodedSchema(Schema.make<unknown>(ast)))
        })
      })
    }
  })
  return found
}

/** Valid values for fields by name, so that requests get past the schema. */
const KNOWN: Readonly<Record<string, (random: SeededRandom) => unknown>> = {
  user_id: (random) => targetId(random.below(100)),
  client_id: () => APPLICATION,
  guild_id: () => GUILD,
  redirect_uri: () => REDIRECT_URI,
  scope: (random) => random.pick(["identify", "identify bot", "bot", "email guilds"]),
  email: (random) => `fuzz${random.below(50)}@example.org`,
  reason_code: (random) => random.below(100),
  days_until_deletion: (random) => 1 + random.below(365),
  permissions: (random) => String(random.below(2 ** 31)),
  response_type: () => "code"
}

const withKnown = (body: unknown, random: SeededRandom): unknown =>
  Predicate.isRecord(body)
    ? Object.fromEntries(
      Object.entries(body).map(([name, value]) => [name, KNOWN[name]?.(random) ?? value])
    )
    : body

const SEGMENTS = ["", "0", "-1", "@me", "9".repeat(30), "%2e%2e", "%ff", "%", "a/b", "é", "\u0000", "x".repeat(3000)]

const pathOf = ({ path }: Target, random: SeededRandom): string => {
  const webhook = random.below(40)
  const filled = path
    .replace(":guild_id", GUILD)
    .replace(":webhook_id", webhookId(webhook))
    .replace(":token", webhookToken(webhook))
  if (random.chance(0.85)) return filled
  const parts = filled.split("/")
  const place = 1 + random.below(parts.length - 1)
  return encodeURI(parts.map((part, index) => index === place ? random.pick(["x", ...SEGMENTS]) : part).join("/"))
    .replaceAll("%25", "%")
}

const QUERIES = [
  "?",
  "?status=sent",
  "?status=sent&status=x",
  "?after=-1",
  "?limit=1e3",
  "?after=9007199254740993",
  `?limit=${"9".repeat(400)}`,
  "?%ff=%ff&&&=",
  `?${"a=b&".repeat(800)}`,
  "?__proto__=1&limit[]=2"
]

const METHODS = ["GET", "POST", "PUT", "PATCH", "DELETE", "HEAD", "OPTIONS", "TRACE", "PROPFIND"]

const HEADERS: ReadonlyArray<Readonly<Record<string, string>>> = [
  { "content-type": "text/plain" },
  { "content-type": "application/json; charset=utf-16" },
  { "content-type": "application/x-www-form-urlencoded" },
  { "content-type": "application/vnd.x+json" },
  { "content-type": "," },
  { "content-encoding": "gzip" },
  { "x-request-id": "a b" },
  { "x-request-id": "x".repeat(200) },
  { "x-request-id": "fine-1.2_3" },
  { "accept": "text/html" },
  { "accept-encoding": "gzip, br" },
  { "expect": "100-continue" },
  { "expect": "something" },
  { "range": "bytes=0-1" },
  { "if-none-match": "*" },
  { "upgrade": "websocket", "connection": "upgrade" },
  { "transfer-encoding": "chunked" },
  { "x-forwarded-for": "999.1.1.1, ::1" },
  { "x-http-method-override": "DELETE" },
  { "last-event-id": "x" },
  { "x-github-event": "__proto__" },
  { "x-github-event": "constructor" },
  { "x-github-delivery": "d".repeat(4000) },
  { "sentry-hook-resource": "event_alert" },
  { "cookie": "a=".repeat(2000) }
]

const EVENTS = [
  "push",
  "issues",
  "pull_request",
  "check_run",
  "release",
  "discussion",
  "create",
  "delete",
  "member"
] as const

const credentialsFor = ({ path }: Target, random: SeededRandom): Readonly<Record<string, string>> => {
  if (path.includes("/webhooks/")) return { "x-github-event": random.pick(EVENTS) }
  if (random.chance(0.03)) return { authorization: random.pick(["", "Bot", "Admin x", "Bot  ", "Basic YTpi"]) }
  return { authorization: path.includes("/admin/") ? `Admin ${TOKEN.admin}` : `Bot ${attackerToken(random.below(20))}` }
}

const around = (target: Target, body: unknown, random: SeededRandom): Sent => {
  const valid = withKnown(body, random)
  const changed = random.chance(0.6) ? mutate(valid, random) : valid
  const text = changed === undefined ? undefined : JSON.stringify(changed)
  const method = random.chance(0.95) ? target.method : random.pick(["GET", ...METHODS])
  const takesBody = text !== undefined && method !== "GET" && method !== "HEAD"
  return {
    method,
    path: pathOf(target, random) + (random.chance(0.1) ? random.pick(["?", ...QUERIES]) : ""),
    headers: {
      ...credentialsFor(target, random),
      ...(random.chance(0.2) ? HEADERS[random.below(HEADERS.length)] : {})
    },
    ...(takesBody && { body: random.chance(0.15) ? breakText(text, random) : text })
  }
}

/** Draws that many requests for each endpoint, the same for the same seed. Omits the event stream, which has no end. */
export const draw = (seed: number, random: SeededRandom, count: number): ReadonlyArray<Sent> =>
  targets()
    .filter(({ path }) => !path.endsWith("/admin/events"))
    .flatMap((target) =>
      FastCheck.sample(target.bodies, { seed, numRuns: count }).map((body) => around(target, body, random))
    )

/** Heads that normal clients do not send, for the parser of HTTP. */
export const RAW_REQUESTS: ReadonlyArray<string> = [
  "GARBAGE\r\n\r\n",
  "GET / HTTP/9.9\r\n\r\n",
  "GET /v1/x HTTP/1.1\r\n\r\n",
  `GET /${"a".repeat(100_000)} HTTP/1.1\r\nHost: a\r\n\r\n`,
  `GET / HTTP/1.1\r\nHost: a\r\nX: ${"a".repeat(100_000)}\r\n\r\n`,
  "GET / HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n",
  "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 5\r\nContent-Length: 6\r\n\r\nabcdef",
  "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
  "POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: gzip, chunked\r\n\r\n0\r\n\r\n",
  "POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n",
  "GET / HTTP/1.1\r\nHost: a\r\nBad Header: x\r\n\r\n",
  "GET / HTTP/1.1\r\nHost: a\r\nX:\u0000\r\n\r\n",
  "POST /v1/oauth2/authorize/consent HTTP/1.1\r\nHost: a\r\nContent-Length: 2\r\nExpect: nothing\r\n\r\n{}",
  "CONNECT a:443 HTTP/1.1\r\nHost: a\r\n\r\n",
  "\u0016\u0003\u0001\u0002\u0000"
]
