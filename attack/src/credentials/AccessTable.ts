import { APPLICATION, BOT_APPLICATION, GUILD, REDIRECT_URI, targetId } from "../community/Community.ts"
import type { Sent } from "../traffic/HttpExchange.ts"
import type { CredentialName } from "./Credentials.ts"

/*
 * The access table: every operation by every kind of credential. The attack sends each of these requests and compares the
 * responses; docs/credentials.md shows the same table.
 */

/** An operation: a valid request, and the response to each credential. */
export interface Operation {
  readonly name: string
  readonly scheme: "Bot" | "Admin" | "webhook"
  readonly request: (webhook: string) => Sent
  /** The responses to credentials that are accepted, or refused for a reason of their own. */
  readonly answers: Partial<Readonly<Record<CredentialName, string>>>
  readonly otherwise: string
}

const UNAUTHORIZED = "401 UNAUTHORIZED"
const DELETED_SOON = { pendingDeletion: "403 ACCOUNT_SCHEDULED_FOR_DELETION" }
const WITHOUT_ACL = {
  deleteUsers: "403 MISSING_ACL",
  changeEmails: "403 MISSING_ACL",
  readEvents: "403 MISSING_ACL",
  readAudit: "403 MISSING_ACL",
  everyRight: "200"
}

const webhookOperation = (
  name: string,
  answer: string,
  request: (webhook: string) => Sent
): Operation => ({
  name,
  scheme: "webhook",
  request,
  answers: { ownWebhook: answer, unknownWebhook: "404 UNKNOWN_WEBHOOK" },
  otherwise: "403 ACCESS_DENIED"
})

export const OPERATIONS: ReadonlyArray<Operation> = [
  {
    name: "Grant OAuth2 consent",
    scheme: "Bot",
    request: () => ({
      path: "/v1/oauth2/authorize/consent",
      body: { client_id: APPLICATION, scope: "identify", redirect_uri: REDIRECT_URI }
    }),
    answers: { ...DELETED_SOON, outsider: "200", member: "200", owner: "200" },
    otherwise: UNAUTHORIZED
  },
  {
    name: "Grant OAuth2 consent, add a bot",
    scheme: "Bot",
    request: () => ({
      path: "/v1/oauth2/authorize/consent",
      body: { client_id: BOT_APPLICATION, scope: "bot", guild_id: GUILD, permissions: "0" }
    }),
    answers: { ...DELETED_SOON, outsider: "404 UNKNOWN_GUILD", member: "403 MISSING_PERMISSIONS", owner: "200" },
    otherwise: UNAUTHORIZED
  },
  {
    name: "List scheduled messages",
    scheme: "Bot",
    request: () => ({ path: "/v1/users/@me/scheduled-messages" }),
    answers: { ...DELETED_SOON, outsider: "200", member: "200", owner: "200" },
    otherwise: UNAUTHORIZED
  },
  {
    name: "Search guild members",
    scheme: "Bot",
    request: () => ({ path: `/v1/guilds/${GUILD}/members-search`, body: {} }),
    answers: { ...DELETED_SOON, outsider: "404 UNKNOWN_GUILD", member: "403 MISSING_PERMISSIONS", owner: "200" },
    otherwise: UNAUTHORIZED
  },
  {
    name: "Schedule account deletion",
    scheme: "Admin",
    request: () => ({
      path: "/v1/admin/users/schedule-deletion",
      body: { user_id: targetId(0), reason_code: 1 }
    }),
    answers: { ...WITHOUT_ACL, deleteUsers: "200" },
    otherwise: UNAUTHORIZED
  },
  {
    name: "Change user email",
    scheme: "Admin",
    request: () => ({
      path: "/v1/admin/users/change-email",
      body: { user_id: targetId(1), email: "somebody@example.org" }
    }),
    answers: { ...WITHOUT_ACL, changeEmails: "200" },
    otherwise: UNAUTHORIZED
  },
  webhookOperation("Execute code-hosting webhook", "204", (webhook) => ({
    path: `${webhook}/github`,
    headers: { "x-github-event": "ping" },
    body: { sender: { id: 1, login: "a" } }
  })),
  webhookOperation("Execute error-tracking webhook", "204", (webhook) => ({ path: `${webhook}/sentry`, body: {} })),
  webhookOperation("Update webhook with token", "200", (webhook) => ({ method: "PATCH", path: webhook, body: {} })),
  {
    name: "Stream events",
    scheme: "Admin",
    request: () => ({ path: "/v1/admin/events" }),
    answers: { ...WITHOUT_ACL, readEvents: "200" },
    otherwise: UNAUTHORIZED
  },
  {
    name: "Read the audit log",
    scheme: "Admin",
    request: () => ({ path: "/v1/admin/audit-log" }),
    answers: { ...WITHOUT_ACL, readAudit: "200" },
    otherwise: UNAUTHORIZED
  }
]

/** The response of the operation to that credential: status and code. */
export const answerOf = ({ answers, otherwise }: Operation, name: CredentialName): string => answers[name] ?? otherwise
