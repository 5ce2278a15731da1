import { examples, HOSTS } from "../../apps/server/test/http/webhooks/CodeHostExamples.ts"
import { errorTrackerNotifications } from "./ErrorTrackerNotifications.ts"

/** The ids and credentials of requests. */
export interface Addressed {
  readonly BOT_TOKEN: string
  readonly ADMIN_KEY: string
  readonly GUILD_ID: string
  readonly USER_ID: string
  readonly CLIENT_ID: string
  readonly WEBHOOK_ID: string
  readonly WEBHOOK_TOKEN: string
}

/** A request with the expected status. */
export interface Exchange {
  readonly status: number
  readonly method: string
  readonly path: string
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: unknown
  /** Whether the schemas of the document allow the request: a proxy may report others. */
  readonly isDocumented: boolean
}

const PNG =
  "data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg=="

const request = (isDocumented: boolean) =>
(
  status: number,
  line: string,
  headers: Readonly<Record<string, string>> = {},
  body?: unknown
): Exchange => {
  const [method = "", path = ""] = line.split(" ")
  return { status, method, path: `/v1${path}`, headers, body, isDocumented }
}

const valid = request(true)
const invalid = request(false)

/** Every operation, with requests that it accepts and requests for each reason to refuse one. */
export const everyOperation = (world: Addressed): ReadonlyArray<Exchange> => {
  const bot = { authorization: `Bot ${world.BOT_TOKEN}` }
  const admin = { authorization: `Admin ${world.ADMIN_KEY}` }
  const consent = "POST /oauth2/authorize/consent"
  const list = "GET /users/@me/scheduled-messages"
  const search = `POST /guilds/${world.GUILD_ID}/members-search`
  const email = "POST /admin/users/change-email"
  const deletion = "POST /admin/users/schedule-deletion"
  const hook = `/webhooks/${world.WEBHOOK_ID}/${world.WEBHOOK_TOKEN}`
  const client = { client_id: world.CLIENT_ID, scope: "identify" }
  return [
    valid(200, consent, bot, client),
    valid(200, consent, bot, { ...client, scope: "bot", guild_id: world.GUILD_ID, permissions: "3072", state: "ü x" }),
    valid(400, consent, bot, { ...client, scope: "fly" }),
    valid(400, consent, bot, { ...client, client_id: "1" }),
    valid(400, consent, bot, { ...client, redirect_uri: "https://elsewhere.example" }),
    valid(400, consent, bot, { ...client, response_type: "token" }),
    valid(404, consent, bot, { ...client, scope: "bot", guild_id: "1" }),
    invalid(400, consent, bot, { client_id: "007", scope: 5 }),
    invalid(401, consent, {}, client),
    valid(200, list, bot),
    valid(200, `${list}?status=sent&status=failed`, bot),
    invalid(400, `${list}?status=late`, bot),
    valid(401, list, { authorization: "Bot x" }),
    valid(401, list, admin),
    valid(200, search, bot, {}),
    valid(200, search, bot, {
      query: "person",
      limit: 1,
      offset: 0,
      role_ids: [],
      joined_at_gte: 0,
      joined_at_lte: 9_007_199_254_740_991,
      join_source_type: [0, 1],
      source_invite_code: ["x"],
      is_bot: false,
      sort_by: "relevance",
      sort_order: "asc"
    }),
    valid(404, "POST /guilds/1/members-search", bot, {}),
    invalid(400, search, bot, { limit: 0, sort_by: "x", role_ids: [5] }),
    invalid(400, "POST /guilds/x/members-search", bot, {}),
    valid(200, email, admin, { user_id: world.USER_ID, email: `user-${world.USER_ID}@example.com` }),
    // The format in the reference is `email`, which validators read as ASCII. The server accepts letters of any script.
    invalid(200, email, admin, { user_id: world.USER_ID, email: "björn@münchen.example" }),
    valid(404, email, admin, { user_id: "1", email: "a@example.com" }),
    invalid(400, email, admin, { user_id: world.USER_ID, email: "nobody" }),
    valid(401, email, bot, { user_id: world.USER_ID, email: "a@example.com" }),
    valid(200, deletion, admin, { user_id: world.USER_ID, reason_code: 0 }),
    valid(200, deletion, admin, {
      user_id: world.USER_ID,
      reason_code: 2_147_483_647,
      public_reason: "x",
      days_until_deletion: 365
    }),
    invalid(400, deletion, admin, { user_id: world.USER_ID, reason_code: -1 }),
    valid(204, `POST ${hook}/github`, {}, { sender: { login: "bjork" } }),
    valid(204, `POST ${hook}/github`, { "x-github-event": "star" }, { sender: { id: "x", login: "b" }, unknown: 1 }),
    invalid(400, `POST ${hook}/github`, {}, { commits: 5 }),
    valid(403, `POST /webhooks/${world.WEBHOOK_ID}/wrong/github`, {}, { sender: { login: "bjork" } }),
    valid(404, "POST /webhooks/1/wrong/sentry", {}, {}),
    valid(204, `POST ${hook}/sentry`, {}, {}),
    valid(204, `POST ${hook}/sentry`, { "sentry-hook-resource": "issue" }, { action: null, data: { issue: null } }),
    invalid(400, `POST ${hook}/sentry`, {}, { data: { issue: { title: 5 } } }),
    valid(200, `PATCH ${hook}`, {}, { name: " Kiln ", avatar: PNG }),
    valid(200, `PATCH ${hook}`, {}, { avatar: null }),
    valid(200, `PATCH ${hook}`, {}, {}),
    valid(400, `PATCH ${hook}`, {}, { name: "   " }),
    invalid(400, `PATCH ${hook}`, {}, { name: "", avatar: "image.png" }),
    valid(200, "GET /admin/audit-log?after=0&limit=100", admin),
    invalid(400, "GET /admin/audit-log?limit=0", admin),
    valid(401, "GET /admin/audit-log", bot)
  ]
}

/** Notifications from the providers' documentation: of the code host itself and of its newest self-hosted version. */
export const providersNotifications = (world: Addressed): ReadonlyArray<Exchange> => {
  const hook = `POST /webhooks/${world.WEBHOOK_ID}/${world.WEBHOOK_TOKEN}`
  const codeHost = HOSTS.filter((host) => host === "api.github.com" || host === HOSTS.at(-1)).flatMap(examples)
  return [
    ...codeHost.filter(({ body }) => "sender" in body).map(({ body, event }) =>
      valid(204, `${hook}/github`, { "x-github-event": event }, body)
    ),
    ...errorTrackerNotifications.map(([resource, body]) =>
      valid(204, `${hook}/sentry`, { "sentry-hook-resource": resource }, body)
    )
  ]
}
