import { digest, token } from "./Secrets.ts"

/*
 * The attacked community, as records for `import`. All ids and tokens are fixed.
 */

export const GUILD = "1000"
export const CHANNEL = "1001"
export const REDIRECT_URI = "https://app.example/callback"
export const APPLICATION = "1002"
/** An application with a bot account. */
export const BOT_APPLICATION = "1004"

/** How many accounts and webhooks of each kind there are. */
export const SIZE = { neutral: 100, attackers: 20, targets: 60, webhooks: 40 } as const

/** The tokens, by their owner. */
export const TOKEN = {
  owner: token("bot", "owner"),
  /** A member of the guild without permissions. */
  member: token("bot", "member"),
  /** Not in the guild. */
  outsider: token("bot", "outsider"),
  pendingDeletion: token("bot", "pending deletion"),
  revokedBot: token("bot", "revoked"),
  admin: token("admin", "*"),
  revokedAdmin: token("admin", "revoked"),
  unknownBot: token("bot", "nobody")
} as const

/** The rights of admin keys, one key for each. */
export const ACLS = ["user:delete", "user:update:email", "events:read", "audit:read"] as const
export type Acl = (typeof ACLS)[number]

export const adminKeyWith = (acl: Acl): string => token("admin", acl)

/** The whole numbers below that one. */
export const numbers = (count: number): ReadonlyArray<number> => Array.from({ length: count }, (_, index) => index)

/** Bots that may search the guild, each with its own rate limit. */
export const neutralToken = (index: number): string => token("bot", `neutral ${index}`)
export const attackerToken = (index: number): string => token("bot", `attacker ${index % SIZE.attackers}`)

/** Accounts that administrators change. */
export const targetId = (index: number): string => String(5000 + (index % SIZE.targets))

export const webhookId = (index: number): string => String(6000 + (index % SIZE.webhooks))
export const webhookToken = (index: number): string => token("webhook", `webhook ${index % SIZE.webhooks}`)
export const webhookAt = (id: string, secret: string): string => `/v1/webhooks/${id}/${secret}`
export const webhookPath = (index: number): string => webhookAt(webhookId(index), webhookToken(index))

/** A record of the import. */
export type Entry = Readonly<Record<string, unknown>> & { readonly kind: string }

export const user = (id: string, username: string, fields: Readonly<Record<string, unknown>> = {}): Entry => ({
  kind: "user",
  id,
  username,
  ...fields
})

const member = (userId: string, fields: Readonly<Record<string, unknown>> = {}): Entry => ({
  kind: "member",
  guild_id: GUILD,
  user_id: userId,
  joined_at: 1_700_000_000,
  ...fields
})

const credential = (id: string, secret: string, fields: Readonly<Record<string, unknown>>): Entry => ({
  kind: "credential",
  id,
  token_digest: digest(secret),
  created_at: "2024-01-01T00:00:00.000Z",
  ...fields
})

const REVOKED = { revoked_at: "2024-02-01T00:00:00.000Z" }
const MANAGERS = "1003"

const bot = (id: string, name: string, secret: string, joins: "manager" | "member" | "no"): ReadonlyArray<Entry> => [
  user(id, name, { bot: true }),
  ...(joins === "no" ? [] : [member(id, joins === "manager" ? { role_ids: [MANAGERS] } : {})]),
  credential(String(Number(id) + 100_000), secret, { type: "bot", user_id: id })
]

/** The records of the community. */
export const RECORDS: ReadonlyArray<Entry> = [
  user("2000", "owner", { bot: true }),
  { kind: "guild", id: GUILD, name: "The guild", owner_id: "2000" },
  { kind: "role", id: MANAGERS, guild_id: GUILD, name: "managers", permissions: "32" },
  { kind: "channel", id: CHANNEL, guild_id: GUILD, name: "general" },
  ...bot("2000", "owner", TOKEN.owner, "manager"),
  ...bot("2001", "plain", TOKEN.member, "member"),
  ...bot("2002", "outsider", TOKEN.outsider, "no"),
  user("2003", "leaving", { bot: true, pending_deletion_at: "2027-01-01T00:00:00.000Z", deletion_reason_code: 1 }),
  credential("102003", TOKEN.pendingDeletion, { type: "bot", user_id: "2003" }),
  user("2004", "revoked", { bot: true }),
  credential("102004", TOKEN.revokedBot, { type: "bot", user_id: "2004", ...REVOKED }),
  credential("102010", TOKEN.admin, { type: "admin", name: "all", acls: ["*"] }),
  credential("102011", TOKEN.revokedAdmin, { type: "admin", name: "revoked", acls: ["*"], ...REVOKED }),
  ...ACLS.map((acl, index) =>
    credential(String(102_020 + index), adminKeyWith(acl), { type: "admin", name: acl, acls: [acl] })
  ),
  { kind: "application", id: APPLICATION, name: "App", redirect_uris: [REDIRECT_URI] },
  user("2005", "helper", { bot: true }),
  { kind: "application", id: BOT_APPLICATION, name: "Helper", bot_user_id: "2005" },
  ...numbers(SIZE.neutral).flatMap((index) =>
    bot(String(3000 + index), `neutral${index}`, neutralToken(index), "manager")
  ),
  ...numbers(SIZE.attackers).flatMap((index) =>
    bot(String(4000 + index), `attacker${index}`, attackerToken(index), "manager")
  ),
  ...numbers(SIZE.targets).map((index) => user(targetId(index), `target${index}`)),
  ...numbers(SIZE.webhooks).map((index): Entry => ({
    kind: "webhook",
    id: webhookId(index),
    guild_id: GUILD,
    channel_id: CHANNEL,
    name: `Builds ${index}`,
    token_digest: digest(webhookToken(index))
  }))
]
