import { adminKeyWith, TOKEN, webhookAt, webhookId, webhookPath, webhookToken } from "../community/Community.ts"
import { token } from "../community/Secrets.ts"

/** A kind of credential, and the place where a request has it. */
export interface Credential {
  readonly name: string
  /** The value of `Authorization`; without it, the header is not sent. */
  readonly authorization?: string
  /** The path of a webhook with a token. */
  readonly webhook?: string
}

/** The kinds of credentials: those of users, and those that are always refused. */
export const CREDENTIALS = {
  none: { name: "none" },
  malformed: { name: "malformed token", authorization: "Bot cmb_x", webhook: webhookAt(webhookId(0), "cmw_x") },
  otherScheme: { name: "bot token as Bearer", authorization: `Bearer ${TOKEN.owner}` },
  unknownBot: { name: "unknown bot token", authorization: `Bot ${TOKEN.unknownBot}` },
  revokedBot: { name: "revoked bot token", authorization: `Bot ${TOKEN.revokedBot}` },
  pendingDeletion: { name: "bot scheduled for deletion", authorization: `Bot ${TOKEN.pendingDeletion}` },
  outsider: { name: "bot outside the guild", authorization: `Bot ${TOKEN.outsider}` },
  member: { name: "bot in the guild, no permission", authorization: `Bot ${TOKEN.member}` },
  owner: { name: "bot that owns the guild", authorization: `Bot ${TOKEN.owner}` },
  revokedAdmin: { name: "revoked admin key", authorization: `Admin ${TOKEN.revokedAdmin}` },
  deleteUsers: { name: "admin key, user:delete", authorization: `Admin ${adminKeyWith("user:delete")}` },
  changeEmails: { name: "admin key, user:update:email", authorization: `Admin ${adminKeyWith("user:update:email")}` },
  readEvents: { name: "admin key, events:read", authorization: `Admin ${adminKeyWith("events:read")}` },
  readAudit: { name: "admin key, audit:read", authorization: `Admin ${adminKeyWith("audit:read")}` },
  everyRight: { name: "admin key, *", authorization: `Admin ${TOKEN.admin}` },
  ownWebhook: { name: "the webhook's token", authorization: `Bot ${webhookToken(0)}`, webhook: webhookPath(0) },
  otherWebhook: { name: "another webhook's token", webhook: webhookAt(webhookId(0), webhookToken(1)) },
  unknownWebhook: { name: "unknown webhook", webhook: webhookAt("42", webhookToken(0)) },
  botAsWebhook: { name: "bot token in the webhook's place", webhook: webhookAt(webhookId(0), TOKEN.owner) }
} as const satisfies Readonly<Record<string, Credential>>

export type CredentialName = keyof typeof CREDENTIALS

/** The path for a credential without a webhook's token: the token is well-formed, but unknown. */
const GUESSED = webhookAt(webhookId(0), token("webhook", "nobody"))

/** The path for an operation on a webhook. */
export const webhookOf = ({ webhook }: Credential): string => webhook ?? GUESSED
