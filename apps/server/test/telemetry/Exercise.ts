import { Permissions } from "@community-messaging/domain/shared-kernel/Permissions"
import { Effect, Option, Redacted } from "effect"
import * as Fixtures from "../http/Fixtures.ts"
import { type HttpResponse, sendRaw } from "../http/HttpClient.ts"
import { at } from "../http/JsonPath.ts"
import { connected } from "../http/TestServer.ts"

/** In every text that a client sends. */
export const CONTENT = "Heliotrope"

/** The addresses that a client claims, and that the proxy has seen. */
export const ADDRESSES = ["198.51.100.23", "203.0.113.77", "2001:db8:7:9::1", "127.0.0.1"]

/** An e-mail address of every account. */
const EMAIL = `${CONTENT}@mail.example`

/** The texts that must appear in no telemetry, and the responses. */
export interface Exercised {
  readonly secrets: ReadonlyArray<string>
  readonly responses: ReadonlyArray<HttpResponse>
}

/** An operation and a valid request. */
interface Call {
  readonly method: string
  readonly path: string
  readonly valid: unknown
  readonly headers: Readonly<Record<string, string>>
}

const HEADERS = {
  "x-forwarded-for": ADDRESSES.slice(0, 2).join(", "),
  forwarded: `for="[${ADDRESSES[2]}]"`,
  "x-real-ip": ADDRESSES[0] ?? "",
  "user-agent": `${CONTENT}/1.0`,
  referer: `https://${CONTENT}.example/`,
  cookie: `session=${CONTENT}`
}

/** Texts in place of other types. */
const WRONG = Object.fromEntries(
  ["user_id", "email", "name", "avatar", "query", "limit", "role_ids", "client_id", "scope", "state", "permissions"]
    .map(
      (field) => [field, { [CONTENT]: [CONTENT] }]
    )
)

const INVALID_BODIES: ReadonlyArray<unknown> = [
  {},
  WRONG,
  JSON.stringify(CONTENT),
  `{"email": "${EMAIL}", "broken": ${CONTENT}`,
  { user_id: CONTENT, email: `${EMAIL}@`, name: "", avatar: `data:image/png;base64,${CONTENT}` },
  { sender: CONTENT, action: { text: CONTENT }, data: CONTENT, repository: [CONTENT] },
  " ".repeat(2_000_000)
]

/** Calls an operation with every refused request, and then with the valid one. */
const callOften = ({ headers, method, path, valid }: Call) => {
  const send = (request: { readonly body?: unknown; readonly headers?: Readonly<Record<string, string>> }, to = path) =>
    sendRaw(to, { method, ...request, headers: { ...HEADERS, ...headers, ...request.headers } })
  const hasBody = valid !== undefined
  return Effect.all([
    send({ ...(hasBody && { body: valid }) }),
    send({ ...(hasBody && { body: valid }), headers: { authorization: `Bot ${CONTENT}.${CONTENT}` } }),
    send({ ...(hasBody && { body: valid }) }, `${path}?status=${CONTENT}&after=${CONTENT}&limit=${EMAIL}`),
    sendRaw(path, { method: "DELETE", headers: { ...HEADERS, ...headers } }),
    ...(hasBody
      ? [
        ...INVALID_BODIES.map((body) => send({ body })),
        send({ body: valid, headers: { "content-type": `text/${CONTENT}` } }),
        send({ body: valid, headers: { "content-encoding": CONTENT } })
      ]
      : [])
  ])
}

/** Callers, the objects that they use, and their secrets. */
const callers = Effect.gen(function*() {
  const bot = yield* Fixtures.botWithGuild
  const admin = yield* Fixtures.adminKey("*")
  const { token, webhook } = yield* Fixtures.webhook
  const person = yield* Fixtures.person({ username: CONTENT })
  const application = yield* Fixtures.application([`https://app.example/${CONTENT}`])
  yield* Fixtures.role(bot.guild.id, Permissions.make(32n))
  yield* Fixtures.scheduledMessage(bot.user.id, { statusReason: Option.some(CONTENT) })
  return { bot, admin, webhook, webhookToken: Redacted.value(token), person, application }
})

type Callers = Effect.Effect.Success<typeof callers>

/** Every operation, with a valid request. */
const operations = ({ admin, application, bot, person, webhook, webhookToken }: Callers): ReadonlyArray<Call> => {
  const asBot = { authorization: `Bot ${Redacted.value(bot.token)}` }
  const asAdmin = { authorization: `Admin ${Redacted.value(admin.token)}` }
  const hook = `/v1/webhooks/${webhook.id}/${webhookToken}`
  const post = (path: string, headers: Call["headers"], valid: object): Call => ({
    method: "POST",
    path,
    headers,
    valid
  })
  const get = (path: string, headers: Call["headers"] = {}): Call => ({
    method: "GET",
    path,
    headers,
    valid: undefined
  })
  const sender = { id: 1, login: CONTENT }
  return [
    post("/v1/oauth2/authorize/consent", asBot, { client_id: application.id, scope: "identify", state: CONTENT }),
    get("/v1/users/@me/scheduled-messages", asBot),
    post(`/v1/guilds/${bot.guild.id}/members-search`, asBot, { query: CONTENT }),
    post("/v1/admin/users/change-email", asAdmin, { user_id: person.id, email: EMAIL }),
    post(`${hook}/github`, { "x-github-event": "watch" }, { action: "started", sender }),
    post(`${hook}/sentry`, { "sentry-hook-resource": "issue" }, {
      action: "created",
      data: { issue: { id: "1", title: CONTENT } }
    }),
    { method: "PATCH", path: hook, headers: {}, valid: { name: CONTENT } },
    get("/v1/admin/audit-log", asAdmin),
    get("/v1/openapi.json"),
    get("/v1/oauth2/authorized"),
    post("/v1/admin/users/schedule-deletion", asAdmin, {
      user_id: person.id,
      reason_code: 1,
      public_reason: CONTENT,
      days_until_deletion: 1
    })
  ]
}

/** Bytes that are not a request, and requests without a route. */
const strange = (token: string) =>
  Effect.gen(function*() {
    const say = (bytes: string) =>
      Effect.scoped(Effect.flatMap(connected, (client) => {
        client.write(bytes)
        return client.closed
      }))
    yield* say(`GET /v1/webhooks/1/${token} HTTP/1.1\r\n${CONTENT} without a colon\r\n\r\n`)
    yield* say(`GET /${token}?${EMAIL} HTTP/1.1\r\nX: ${CONTENT.repeat(3_000)}\r\n\r\n`)
    yield* say(`${token} ${EMAIL}\r\n\r\n`)
    yield* say(`CONNECT ${CONTENT}.example:443 HTTP/1.1\r\nHost: x\r\n\r\n`)
    return yield* Effect.all([
      sendRaw(`/${token}/${EMAIL}`, { headers: HEADERS }),
      sendRaw(`/v1/webhooks/${CONTENT}/${token}/github`, { headers: HEADERS, body: {} }),
      sendRaw(`/v1/webhooks/1/${token}/github`, { headers: HEADERS, body: {} }),
      sendRaw("/v1/users/@me/scheduled-messages", { headers: { ...HEADERS, expect: CONTENT } })
    ])
  })

/** An event stream that has begun, and is closed. */
const streamed = (token: string) =>
  Effect.scoped(Effect.gen(function*() {
    const client = yield* connected
    client.write(`GET /v1/admin/events HTTP/1.1\r\nHost: x\r\nAuthorization: Admin ${token}\r\n\r\n`)
    yield* client.until(/event: /)
  }))

/** Calls every operation, with valid and invalid requests, until limits are reached. */
export const exercise = Effect.gen(function*() {
  const known = yield* callers
  const { admin, bot, webhookToken } = known
  const forbidden = yield* sendRaw("/v1/admin/users/change-email", {
    admin: (yield* Fixtures.adminKey("audit:read")).token,
    body: { user_id: known.person.id, email: EMAIL },
    headers: HEADERS
  })
  const responses = (yield* Effect.forEach(operations(known), callOften)).flat()
  yield* streamed(Redacted.value(admin.token))
  const others = yield* strange(webhookToken)
  const list = sendRaw("/v1/users/@me/scheduled-messages", { bot: bot.token, headers: HEADERS })
  const limited = yield* Effect.replicateEffect(list, 41)
  const code = /code=([^&]+)/.exec(String(at(responses[0]?.json, "redirect_to")))?.[1] ?? "no code"
  const tokens = [Redacted.value(bot.token), Redacted.value(admin.token), webhookToken, code]
  return {
    secrets: [...tokens, ...tokens.map((token) => token.slice(4, 30)), CONTENT, ...ADDRESSES],
    responses: [forbidden, ...responses, ...others, ...limited]
  } satisfies Exercised
})

/** All pages with the requests of a browser, which contain secrets: pages for people, pages for programs, and errors. */
export const pages = (secrets: ReadonlyArray<string>) => {
  const query = secrets.map((secret) => `state=${encodeURIComponent(secret)}`).join("&")
  return Effect.forEach(
    [
      "/",
      "/v1/docs",
      "/v1/oauth2/authorized",
      "/v1/openapi.json",
      "/health/live",
      "/health/ready",
      "/demo",
      `/v1/${CONTENT}`
    ],
    (path) => sendRaw(`${path}?${query}`, { headers: { ...HEADERS, accept: "text/html,*/*;q=0.8" } })
  )
}
