import { Schema } from "effect"
import { inTurn } from "../report/InTurn.ts"
import { canonical } from "./Canonical.ts"
import { type Facts, SIZE } from "./Community.ts"
import { type Exchange, exchange, FRESH, ISSUE, type Operation, OPERATIONS, PUSH, STATUS } from "./Exchanges.ts"
import * as SameRows from "./SameRows.ts"
import type { Running } from "./Subjects.ts"

/** A request, and the status that every subject must return. */
interface Case {
  readonly name: string
  readonly exchange: Exchange
  readonly status: number
}

/** Bodies that must be refused: each breaks one rule. */
const INVALID: { readonly [operation in Operation]: ReadonlyArray<object> } = {
  "consent": [
    { client_id: "01", scope: "identify" },
    { client_id: "1" },
    { client_id: "1", scope: "identify", state: "x".repeat(1025) },
    { client_id: "1", scope: "identify", permissions: "-1" },
    { client_id: "1", scope: "identify", guild_id: 5 },
    { client_id: "9223372036854775808", scope: "identify" }
  ],
  "scheduled messages": [],
  "member search": [
    { limit: 0 },
    { limit: 101 },
    { limit: 1.5 },
    { limit: "5" },
    { offset: -1 },
    { query: "x".repeat(101) },
    { query: null },
    { role_ids: Array.from({ length: 11 }, () => "1") },
    { role_ids: [1] },
    { join_source_type: [2 ** 31] },
    { is_bot: "yes" },
    { sort_by: "name" },
    { sort_order: "up" },
    { joined_at_gte: 1.5 },
    { joined_at_lte: 1e19 }
  ],
  "schedule deletion": [
    { reason_code: 1 },
    { user_id: "1", reason_code: -1 },
    { user_id: "1", reason_code: 2 ** 31 },
    { user_id: "1", reason_code: 1, days_until_deletion: 366 },
    { user_id: "1", reason_code: 1, public_reason: "x".repeat(513) },
    { user_id: 1, reason_code: 1 }
  ],
  "change e-mail": [
    { user_id: "1" },
    { user_id: "1", email: "nobody" },
    { user_id: "1", email: `${"x".repeat(65)}@mail.example` },
    { user_id: "x", email: "a@mail.example" }
  ],
  "code host": [
    {},
    { ...PUSH, ref: 1 },
    { ...PUSH, commits: [{ message: 1 }] },
    { ...PUSH, repository: "hello" },
    { ...PUSH, forced: "no" },
    { ...PUSH, pull_request: { number: "1" } },
    { ...PUSH, check_suite: { pull_requests: [{ number: 1.5 }] } }
  ],
  "error tracker": [
    { ...ISSUE, data: [] },
    { ...ISSUE, action: 1 },
    { ...ISSUE, data: { issue: { title: 1 } } },
    { ...ISSUE, actor: "nobody" },
    { ...ISSUE, data: { issue: { project: { id: {} } } } }
  ],
  "update webhook": [{ name: "" }, { name: "\n" }, { name: "x".repeat(81) }, { name: null }, { avatar: "no image" }]
}

/** Text whose markup every subject must escape. */
const MARKUP = "  *a* _b_ `c` # d <@1> @everyone\t||e|| https://f.example/(g). [h](i) \\ "

/** Bodies that are just valid. */
const VALID: { readonly [operation in Operation]: ReadonlyArray<object> } = {
  "consent": [],
  "scheduled messages": [],
  "member search": [
    { query: "🦊".repeat(100), limit: 100, offset: Number.MAX_SAFE_INTEGER },
    { role_ids: [], join_source_type: [-1, 0], unknown: true },
    { joined_at_gte: -(2 ** 62), joined_at_lte: 2 ** 62, is_bot: false, sort_by: "joinedAt", sort_order: "asc" },
    { role_ids: ["nobody's"] }
  ],
  "schedule deletion": [],
  "change e-mail": [],
  "code host": [
    { sender: { id: "1", login: "octocat" }, commits: null, issue: null },
    { ...PUSH, sender: { login: "octocat" } },
    { ...PUSH, sender: {} },
    { ...PUSH, before: 5, created: "no", release: { name: 1, prerelease: 1 } },
    { ...PUSH, forced: true },
    { ...PUSH, deleted: true },
    { ...PUSH, before: "0".repeat(40), commits: [], ref: "refs/heads/a b" },
    { ...PUSH, ref: "refs/tags/v1", compare: "no page" },
    { ...PUSH, commits: Array.from({ length: 12 }, () => ({ message: MARKUP, author: { name: MARKUP } })) },
    { ...PUSH, commits: [{ ...PUSH.head_commit, url: "https://host.example/(1)", message: "é\u0007 🦊".repeat(40) }] }
  ],
  "error tracker": [
    {},
    { ...ISSUE, data: { issue: { web_url: 1, assignedTo: [] } } },
    {
      ...ISSUE,
      action: "unresolved",
      data: { issue: { ...ISSUE.data.issue, substatus: "regressed", culprit: MARKUP } }
    },
    { ...ISSUE, actor: { name: MARKUP }, data: { issue: { title: MARKUP, web_url: "https://a.example", level: "?" } } }
  ],
  "update webhook": [{}, { name: `  ${"x".repeat(80)} `, avatar: null }]
}

/** The number of the requests of this check. The load begins with the lowest numbers. */
const NUMBER = SIZE.callers - 1

const cases = (operation: Operation, facts: Facts): ReadonlyArray<Case> => {
  const usual = exchange(operation, facts, NUMBER, 1_000_000)
  const status = STATUS[operation]
  const withBody = (body: object): Exchange => ({ ...usual, body: JSON.stringify(body) })
  const { authorization, ...anonymous } = usual.headers
  const refusedToken = authorization === undefined
    ? {
      name: "another's token",
      exchange: { ...usual, path: usual.path.replace(/cmw_[^/]+/, facts.botTokens[0] ?? "") },
      status: 403
    }
    : { name: "no token", exchange: { ...usual, headers: anonymous }, status: 401 }
  return [
    { name: "valid", exchange: usual, status },
    { name: "valid, again", exchange: exchange(operation, facts, NUMBER, 1_000_001), status },
    refusedToken,
    ...usual.body === undefined ? [] : [
      { name: "malformed JSON", exchange: { ...usual, body: "{\"" }, status: 400 },
      {
        name: "another content type",
        exchange: { ...usual, headers: { ...usual.headers, "content-type": "text/plain" } },
        status: 415
      },
      { name: "an array", exchange: withBody([]), status: 400 }
    ],
    ...INVALID[operation].map((body) => ({ name: JSON.stringify(body), exchange: withBody(body), status: 400 })),
    ...VALID[operation].map((body) => ({ name: JSON.stringify(body), exchange: withBody(body), status }))
  ]
}

const OTHERS = (facts: Facts): ReadonlyArray<Case> => {
  const search = exchange("member search", facts, NUMBER, 0)
  const messages = exchange("scheduled messages", facts, NUMBER, 0)
  const deletion = exchange("schedule deletion", facts, NUMBER, 0)
  const email = exchange("change e-mail", facts, NUMBER, 1_000_001)
  const push = exchange("code host", facts, NUMBER, 0)
  const consent = exchange("consent", facts, NUMBER, 0)
  const consentTo = (change: object) => ({
    ...consent,
    body: JSON.stringify({ client_id: facts.application.id, scope: "identify", ...change })
  })
  const delivery = { ...push, headers: { ...push.headers, "x-github-delivery": "the same" } }
  return [
    { name: "an unknown application", exchange: consentTo({ client_id: "1" }), status: 400 },
    { name: "an unknown scope", exchange: consentTo({ scope: "identify everything" }), status: 400 },
    { name: "another response type", exchange: consentTo({ response_type: "token" }), status: 400 },
    { name: "another redirect URI", exchange: consentTo({ redirect_uri: "https://app.example/other" }), status: 400 },
    { name: "no redirect URI", exchange: consentTo({}), status: 200 },
    {
      name: "another's address",
      exchange: {
        ...email,
        body: (email.body ?? "").replace(/"user_id":"\d+"/, `"user_id":"${facts.userIds[0] ?? ""}"`)
      },
      status: 400
    },
    {
      name: "an unknown webhook",
      exchange: { ...push, path: push.path.replace(/\/\d+\//, "/1/") },
      status: 404
    },
    { name: "a delivery", exchange: delivery, status: 204 },
    { name: "the same delivery", exchange: delivery, status: 204 },
    { name: "an unknown guild", exchange: { ...search, path: "/v1/guilds/1/members-search" }, status: 404 },
    { name: "a malformed guild id", exchange: { ...search, path: "/v1/guilds/01/members-search" }, status: 400 },
    { name: "a status", exchange: { ...messages, path: `${messages.path}?status=pending&status=sent` }, status: 200 },
    { name: "an unknown status", exchange: { ...messages, path: `${messages.path}?status=lost` }, status: 400 },
    {
      name: "an unknown account",
      exchange: { ...deletion, body: JSON.stringify({ user_id: "1", reason_code: 1 }) },
      status: 404
    },
    { name: "an unknown path", exchange: { ...messages, path: "/v1/nothing" }, status: 404 }
  ]
}

const ErrorBody = Schema.parseJson(Schema.Struct({ code: Schema.String }))

/**
 * The body without values that differ in every run: authorization codes and times. Of an error, only the code: the floor
 * does not report the violations of a body.
 */
const normalised = (text: string, ok: boolean): string =>
  ok
    ? canonical(JSON.parse(text)).replace(/cmc_[\w-]+/g, "cmc_").replace(/\d{4}-\d{2}-\d{2}T[\d:.]+Z/g, "moment")
    : Schema.decodeUnknownSync(ErrorBody)(text).code

const COMPARED_HEADERS = [
  "cache-control",
  "content-type",
  "x-request-id"
]

interface Answer {
  readonly status: number
  /** The normalised body. */
  readonly body: string
  /** The names of the headers that clients of the service rely on. */
  readonly headers: string
}

const send = async (port: number, { body, headers, method, path }: Exchange, delivery: string): Promise<Answer> => {
  const response = await fetch(`http://127.0.0.1:${port}${path}`, {
    method,
    headers: Object.entries(headers).map(([key, value]): [string, string] => [
      key,
      value.replace(FRESH, delivery)
    ]),
    ...(body !== undefined && { body })
  })
  const text = await response.text()
  return {
    status: response.status,
    body: text === "" ? "" : normalised(text, response.ok),
    headers: response.ok ? COMPARED_HEADERS.filter((header) => response.headers.has(header)).join(" ") : ""
  }
}

/** Checks that all subjects behave the same. Returns a summary for the report; fails with the differences. */
export const check = async (running: ReadonlyArray<Running>, facts: Facts): Promise<string> => {
  const all = [
    ...OPERATIONS.flatMap((operation) =>
      cases(operation, facts).map((each) => ({ ...each, name: `${operation}: ${each.name}` }))
    ),
    ...OTHERS(facts)
  ]
  const ofAnswers = (await inTurn(all, async ({ exchange: sent, name, status }, index) => {
    const answers = await Promise.all(
      running.map(async ({ port, subject }) => ({ subject, ...await send(port, sent, `delivery ${index}`) }))
    )
    const [first] = answers
    return answers.flatMap((answer) => {
      if (answer.status !== status) return [`${answer.subject} answers ${answer.status}, not ${status}, to ${name}`]
      if (answer.body !== first?.body) return [`${answer.subject} has another body for ${name}: ${answer.body}`]
      return answer.headers === first.headers ? [] : [`${answer.subject} has other headers for ${name}`]
    })
  })).flat()
  const differences = [...ofAnswers, ...SameRows.differences(running)]
  if (differences.length > 0) throw new Error(`The servers behave differently:\n${differences.join("\n")}`)
  return `${all.length} requests, valid and invalid, to each server: same status, JSON and headers, and the same rows`
}
