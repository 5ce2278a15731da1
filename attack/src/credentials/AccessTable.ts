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

const MISSING_ACL = "403 MISSING_ACL"

/** The responses of all operations with those credentials. */
const ANSWERS = {
  Bot: { pendingDeletion: "403 ACCOUNT_SCHEDULED_FOR_DELETION" },
  Admin: {
    deleteUsers: MISSING_ACL,
    changeEmails: MISSING_ACL,
    readEvents: MISSING_ACL,
    readAudit: MISSING_ACL,
    everyRight: "200"
  }
}

const operation = (
  scheme: "Bot" | "Admin",
  name: string,
  answers: Operation["answers"],
  request: Operation["request"]
): Operation => ({
  name,
  scheme,
  request,
  answers: { ...ANSWERS[scheme], ...answers },
  otherwise: "401 UNAUTHORIZED"
})

const webhookOperation = (name: string, answer: string, request: Operation["request"]): Operation => ({
  name,
  scheme: "webhook",
  request,
  answers: { ownWebhook: answer, unknownWebhook: "404 UNKNOWN_WEBHOOK" },
  otherwise: "403 ACCESS_DENIED"
})

const EVERY_BOT = { outsider: "200", member: "200", owner: "200" }
const MANAGERS = { outsider: "404 UNKNOWN_GUILD", member: "403 MISSING_PERMISSIONS", owner: "200" }

export const OPERATIONS: ReadonlyArray<Operation> = [
  operation("Bot", "Grant OAuth2 consent", EVERY_BOT, () => ({
    path: "/v1/oauth2/authorize/consent",
    body: { client_id: APPLICATION, scope: "identify", redirect_uri: REDIRECT_URI }
  })),
  operation("Bot", "Grant OAuth2 consent, add a bot", MANAGERS, () => ({
    path: "/v1/oauth2/authorize/consent",
    body: { client_id: BOT_APPLICATION, scope: "bot", guild_id: GUILD, permissions: "0" }
  })),
  operation("Bot", "List scheduled messages", EVERY_BOT, () => ({ path: "/v1/users/@me/scheduled-messages" })),
  operation("Bot", "Search guild members", MANAGERS, () => ({
    path: `/v1/guilds/${GUILD}/members-search`,
    body: {}
  })),
  operation("Admin", "Schedule account deletion", { deleteUsers: "200" }, () => ({
    path: "/v1/admin/users/schedule-deletion",
    body: { user_id: targetId(0), reason_code: 1 }
  })),
  operation("Admin", "Change user email", { changeEmails: "200" }, () => ({
    path: "/v1/admin/users/change-email",
    body: { user_id: targetId(1), email: "somebody@example.org" }
  })),
  webhookOperation("Execute code-hosting webhook", "204", (webhook) => ({
    path: `${webhook}/github`,
    headers: { "x-github-event": "ping" },
    body: { sender: { id: 1, login: "a" } }
  })),
  webhookOperation("Execute error-tracking webhook", "204", (webhook) => ({ path: `${webhook}/sentry`, body: {} })),
  webhookOperation("Update webhook with token", "200", (webhook) => ({ method: "PATCH", path: webhook, body: {} })),
  operation("Admin", "Stream events", { readEvents: "200" }, () => ({ path: "/v1/admin/events" })),
  operation("Admin", "Read the audit log", { readAudit: "200" }, () => ({ path: "/v1/admin/audit-log" }))
]

/** The response of the operation to that credential: status and code. */
export const answerOf = ({ answers, otherwise }: Operation, name: CredentialName): string => answers[name] ?? otherwise
