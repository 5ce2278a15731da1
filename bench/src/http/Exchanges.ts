import type { Facts } from "./Community.ts"

/** A request, as the load generator sends it. */
export interface Exchange {
  readonly method: "GET" | "POST" | "PATCH"
  readonly path: string
  readonly headers: { readonly [name: string]: string }
  readonly body?: string
}

/** The eight operations, in the order of the reference. */
export const OPERATIONS = [
  "consent",
  "scheduled messages",
  "member search",
  "schedule deletion",
  "change e-mail",
  "code host",
  "error tracker",
  "update webhook"
] as const
export type Operation = (typeof OPERATIONS)[number]

/** The measured requests. One to an unknown path shows the cost of HTTP alone. */
export const MEASURED = ["unknown path", ...OPERATIONS] as const
export type Measured = (typeof MEASURED)[number]

/** The expected status of each. */
export const STATUS: { readonly [measured in Measured]: number } = {
  "unknown path": 404,
  "consent": 200,
  "scheduled messages": 200,
  "member search": 200,
  "schedule deletion": 200,
  "change e-mail": 200,
  "code host": 204,
  "error tracker": 204,
  "update webhook": 200
}

/** The load generator replaces it with an identifier that no other request has. */
export const FRESH = "[<id>]"

const JSON_BODY = { "content-type": "application/json" } as const

const item = <A>(items: ReadonlyArray<A>, index: number): A => {
  const found = items[index % items.length]
  if (found === undefined) throw new Error("There is nothing to choose from.")
  return found
}

const bot = (facts: Facts, index: number) => ({ authorization: `Bot ${item(facts.botTokens, index)}` })
const admin = (facts: Facts, index: number) => ({ authorization: `Admin ${item(facts.adminKeys, index)}` })

const searches = (facts: Facts): ReadonlyArray<object> => [
  {},
  { query: "ada" },
  { query: "garcia", sort_by: "relevance" },
  { role_ids: [item(facts.roleIds, 1)], limit: 25 },
  { query: "yuki", is_bot: false, sort_order: "asc" },
  { joined_at_gte: 1_600_500_000, joined_at_lte: 1_606_000_000, offset: 50 },
  { source_invite_code: ["spring", "choir"], join_source_type: [1] },
  { query: "søren", role_ids: facts.roleIds.slice(0, 2) }
]

const account = (login: string) => ({
  id: 583_231,
  login,
  html_url: `https://host.example/${login}`,
  avatar_url: `https://host.example/avatars/${login}.png`,
  type: "User",
  site_admin: false
})

const commit = (index: number) => ({
  id: `${index}`.repeat(40).slice(0, 40),
  url: `https://host.example/octocat/hello/commit/${index}`,
  message: `Mend the gate of the ${index}. garden\n\nIt was left open on windy days.`,
  timestamp: "2026-05-04T10:11:12Z",
  author: { name: "Mona Octocat", email: "mona@host.example", username: "octocat" },
  added: [`garden/${index}.md`],
  removed: [],
  modified: ["README.md", "garden/index.md"]
})

/** A push of three commits. Like a real notification, it has fields that no subject reads. */
export const PUSH = {
  ref: "refs/heads/main",
  before: "a".repeat(40),
  after: "b".repeat(40),
  created: false,
  deleted: false,
  forced: false,
  compare: "https://host.example/octocat/hello/compare/aaaa...bbbb",
  commits: [commit(1), commit(2), commit(3)],
  head_commit: commit(3),
  repository: {
    id: 1_296_269,
    name: "hello",
    full_name: "octocat/hello",
    html_url: "https://host.example/octocat/hello",
    private: false,
    description: "A first repository",
    fork: false,
    topics: ["gardens", "gates"],
    default_branch: "main"
  },
  pusher: { name: "octocat", email: "mona@host.example" },
  sender: account("octocat")
} as const

/** A new issue. */
export const ISSUE = {
  action: "created",
  installation: { uuid: "7a485448-a9e2-4c85-8a3c-4f44175783c9" },
  data: {
    issue: {
      id: "1117540176",
      shortId: "FRONT-1",
      title: "TypeError: gate is undefined",
      permalink: "https://tracker.example/issues/1117540176/",
      culprit: "open(garden/gate)",
      level: "error",
      status: "unresolved",
      platform: "javascript",
      project: { id: "1", name: "Front", slug: "front", platform: "javascript" },
      type: "error",
      metadata: { value: "gate is undefined", type: "TypeError", filename: "gate.js" },
      count: "12",
      userCount: 3,
      firstSeen: "2026-05-04T10:11:12.345Z",
      lastSeen: "2026-05-04T10:12:13.456Z"
    }
  },
  actor: { type: "application", id: "tracker", name: "Tracker" }
} as const

const PUSH_BODY = JSON.stringify(PUSH)
const ISSUE_BODY = JSON.stringify(ISSUE)

/**
 * The request with that number. Different numbers have different callers and accounts, up to the size of the community.
 * `pass` distinguishes the repetitions of a number, so that each changes something.
 */
export const exchange = (operation: Measured, facts: Facts, number: number, pass: number): Exchange => {
  const { id, token } = item(facts.webhooks, number)
  switch (operation) {
    case "unknown path":
      return { method: "GET", path: "/v1/nowhere", headers: {} }
    case "consent":
      return {
        method: "POST",
        path: "/v1/oauth2/authorize/consent",
        headers: { ...bot(facts, number), ...JSON_BODY },
        body: JSON.stringify({
          client_id: facts.application.id,
          scope: "identify guilds",
          response_type: "code",
          redirect_uri: facts.application.redirectUri,
          state: `state-${number}`
        })
      }
    case "scheduled messages":
      return { method: "GET", path: "/v1/users/@me/scheduled-messages", headers: bot(facts, number) }
    case "member search":
      return {
        method: "POST",
        path: `/v1/guilds/${facts.guildId}/members-search`,
        headers: { ...bot(facts, number), ...JSON_BODY },
        body: JSON.stringify(item(searches(facts), number))
      }
    case "schedule deletion":
      return {
        method: "POST",
        path: "/v1/admin/users/schedule-deletion",
        headers: { ...admin(facts, number), ...JSON_BODY },
        body: JSON.stringify({
          user_id: item(facts.userIds, number),
          reason_code: pass,
          public_reason: "Asked for by its owner.",
          days_until_deletion: 30
        })
      }
    case "change e-mail":
      return {
        method: "POST",
        path: "/v1/admin/users/change-email",
        headers: { ...admin(facts, number), ...JSON_BODY },
        body: JSON.stringify({
          user_id: item(facts.userIds, number),
          email: `person.${number % facts.userIds.length}.${pass}@mail.example`
        })
      }
    case "code host":
      return {
        method: "POST",
        path: `/v1/webhooks/${id}/${token}/github`,
        headers: { ...JSON_BODY, "x-github-event": "push", "x-github-delivery": FRESH },
        body: PUSH_BODY
      }
    case "error tracker":
      return {
        method: "POST",
        path: `/v1/webhooks/${id}/${token}/sentry`,
        headers: { ...JSON_BODY, "sentry-hook-resource": "issue", "request-id": FRESH },
        body: ISSUE_BODY
      }
    case "update webhook":
      return {
        method: "PATCH",
        path: `/v1/webhooks/${id}/${token}`,
        headers: JSON_BODY,
        body: JSON.stringify({ name: `Builds ${number} of pass ${pass}` })
      }
  }
}
