import * as Token from "@community-messaging/domain/access/Token"
import { DateTime, Redacted } from "effect"
import { createHash } from "node:crypto"

const sha256 = (data: string | Uint8Array): string => createHash("sha256").update(data).digest("hex")

const token = (kind: Token.TokenKind, fill: number): string =>
  Redacted.value(Token.format(kind, new Uint8Array(32).fill(fill)))

/** The secrets of the community below, which contains their digests. */
export const SECRETS = {
  bot: token("bot", 1),
  revokedBot: token("bot", 2),
  admin: token("admin", 3),
  webhook: token("webhook", 4)
}

/** The time of the import of the community below, whose dates are around that day. */
export const TODAY = DateTime.unsafeMake("2024-07-01T00:00:00.000Z")

/** A GIF of one pixel. */
const GIF = Buffer.from("R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7", "base64")
export const AVATAR_HASH = sha256(GIF).slice(0, 32)

const embed = {
  type: "rich",
  url: "https://example.org/a",
  title: "Ein Titel",
  color: 3_447_003,
  timestamp: "2024-05-06T07:08:09.123Z",
  description: "Ελληνικά 👋",
  author: { name: "n", url: "u", icon_url: "i", proxy_icon_url: "p" },
  image: {
    url: "u",
    flags: 1,
    proxy_url: "p",
    content_type: "image/png",
    content_hash: "h",
    width: 640,
    height: 480,
    description: "d",
    placeholder: "p",
    duration: 3
  },
  thumbnail: { url: "t" },
  video: { url: "v" },
  audio: { url: "a" },
  footer: { text: "t", icon_url: "i", proxy_icon_url: "p" },
  fields: [{ name: "n", value: "v", inline: true }],
  provider: { name: "n", url: "u", icon_url: "i", proxy_icon_url: "p" },
  nsfw: false
}

/** The payload of a message with every field, by the names of the API. */
export const PAYLOAD = {
  content: "Hallo @everyone",
  tts: false,
  embeds: [{ ...embed, children: [embed] }, {}],
  attachments: [{
    id: "1",
    filename: "f.ogg",
    size: 10,
    flags: 0,
    title: "t",
    description: "d",
    content_type: "audio/ogg",
    content_hash: "h",
    url: "u",
    proxy_url: "p",
    width: 1,
    height: 2,
    placeholder: "p",
    nsfw: false,
    duration: 3,
    waveform: "w",
    expires_at: "2030-01-01T00:00:00.000Z",
    expired: false
  }],
  stickers: [{ id: "9", name: "wave", animated: true }],
  sticker_ids: ["9"],
  allowed_mentions: { parse: ["users"], users: ["1"], roles: ["2"], replied_user: true },
  message_reference: { message_id: "1", channel_id: "2", guild_id: "3", type: 0 },
  flags: 4,
  nonce: "n",
  favorite_meme_id: "m"
}

const plainUser = {
  discriminator: 0,
  bot: false,
  system: false,
  flags: "0",
  suspicious_activity_flags: 0,
  acls: [],
  traits: [],
  has_totp: false,
  authenticator_types: []
}

const scheduled = {
  author_id: "102",
  channel_id: "401",
  scheduled_at: "2024-06-01T10:00:00.000Z",
  scheduled_local_at: "2024-06-01T12:00:00",
  timezone: "Europe/Berlin"
}

/**
 * Records of every kind with every field, in the order and form of an export: as objects, which tests can change. They refer
 * to one another.
 */
export const COMMUNITY: ReadonlyArray<Readonly<Record<string, unknown>> & { readonly kind: string }> = [
  {
    kind: "user",
    id: "101",
    username: "ada",
    discriminator: 7,
    global_name: "Ada Łukasiewicz 🌍",
    bot: false,
    system: false,
    flags: "18446744073709551616",
    avatar: "a",
    banner: "b",
    bio: "c",
    pronouns: "she",
    accent_color: 16_777_215,
    email: "Ada@example.org",
    email_verified: true,
    email_bounced: false,
    phone: "+4930123456",
    date_of_birth: "1990-12-10",
    locale: "de",
    premium_type: 2,
    premium_since: "2023-01-01T00:00:00.000Z",
    premium_until: "2026-01-01T00:00:00.000Z",
    suspicious_activity_flags: 1,
    temp_banned_until: "2024-01-01T00:00:00.000Z",
    pending_deletion_at: "2025-01-01T00:00:00.000Z",
    pending_bulk_message_deletion_at: "2030-01-02T00:00:00.000Z",
    deletion_reason_code: 3,
    deletion_public_reason: "wish",
    acls: ["x"],
    traits: ["y"],
    has_totp: true,
    authenticator_types: [0, 1],
    last_active_at: "2024-02-03T04:05:06.789Z",
    last_active_ip: "192.0.2.1",
    last_active_ip_reverse: "host.example.org",
    last_active_location: "Berlin"
  },
  { kind: "user", id: "102", username: "helper", ...plainUser, bot: true },
  { kind: "user", id: "103", username: "deleted-user-103", ...plainUser, deleted_at: "2024-01-01T00:00:00.000Z" },
  { kind: "guild", id: "200", name: "Haus", owner_id: "101" },
  { kind: "role", id: "200", guild_id: "200", name: "@everyone", permissions: "1024" },
  { kind: "role", id: "301", guild_id: "200", name: "helper", permissions: "32", managed_by: "102" },
  { kind: "channel", id: "401", guild_id: "200", name: "allgemein" },
  {
    kind: "member",
    guild_id: "200",
    user_id: "101",
    nickname: "Königin",
    role_ids: [],
    joined_at: 1_700_000_000,
    supplemental: { join_source_type: 1, source_invite_code: "abc", inviter_id: "102" }
  },
  { kind: "member", guild_id: "200", user_id: "102", role_ids: ["301"], joined_at: 1_700_000_001, supplemental: {} },
  { kind: "application", id: "501", name: "Helper", bot_user_id: "102", redirect_uris: ["https://example.org/cb"] },
  { kind: "application", id: "502", name: "Bare", redirect_uris: [] },
  { kind: "avatar", hash: AVATAR_HASH, content_type: "image/gif", data: GIF.toString("base64") },
  {
    kind: "webhook",
    id: "601",
    guild_id: "200",
    channel_id: "401",
    name: "Builds",
    avatar: AVATAR_HASH,
    token_digest: sha256(SECRETS.webhook)
  },
  {
    kind: "scheduled_message",
    id: "701",
    ...scheduled,
    status: "invalid",
    status_reason: "channel is gone",
    payload: PAYLOAD,
    created_at: "2024-05-01T00:00:00.000Z",
    invalidated_at: "2024-05-02T00:00:00.000Z",
    attempts: 2,
    next_attempt_at: "2024-06-01T10:00:01.500Z",
    ended_at: "2024-05-02T00:00:00.000Z"
  },
  {
    kind: "scheduled_message",
    id: "702",
    ...scheduled,
    channel_id: "499",
    status: "sent",
    payload: { content: "x", flags: 0 },
    created_at: "2024-05-01T00:00:00.000Z",
    attempts: 0,
    ended_at: "2024-06-01T10:00:00.000Z"
  },
  {
    kind: "message",
    id: "802",
    channel_id: "401",
    guild_id: "200",
    author: { type: "webhook", webhook_id: "601", name: "Builds", avatar: AVATAR_HASH },
    payload: PAYLOAD,
    created_at: "2024-06-02T00:00:00.000Z"
  },
  {
    kind: "message",
    id: "801",
    channel_id: "401",
    guild_id: "200",
    author: { type: "user", user_id: "102" },
    payload: { content: "x", flags: 0 },
    created_at: "2024-06-01T00:00:00.000Z"
  },
  {
    kind: "credential",
    type: "bot",
    id: "901",
    token_digest: sha256(SECRETS.bot),
    created_at: "2024-01-01T00:00:00.000Z",
    user_id: "102"
  },
  {
    kind: "credential",
    type: "bot",
    id: "902",
    token_digest: sha256(SECRETS.revokedBot),
    created_at: "2024-01-01T00:00:00.000Z",
    revoked_at: "2024-02-01T00:00:00.000Z",
    user_id: "102"
  },
  {
    kind: "credential",
    type: "admin",
    id: "903",
    token_digest: sha256(SECRETS.admin),
    created_at: "2024-01-01T00:00:00.000Z",
    name: "ops",
    acls: ["user:delete", "*"]
  },
  {
    kind: "consent",
    user_id: "102",
    application_id: "501",
    scopes: ["identify", "bot"],
    permissions: "32",
    guild_id: "200",
    granted_at: "2024-03-01T00:00:00.000Z"
  }
]

/** The records as a file. */
export const toText = (records: ReadonlyArray<object>): string =>
  records.map((record) => `${JSON.stringify(record)}\n`).join("")

/** A message of the community that is neither checked nor armed yet. */
export const PENDING_MESSAGE = {
  kind: "scheduled_message",
  id: "703",
  author_id: "102",
  channel_id: "401",
  scheduled_at: "2024-08-01T10:00:00.000Z",
  scheduled_local_at: "2024-08-01T12:00:00",
  timezone: "Europe/Berlin",
  payload: { content: "Summer!" },
  created_at: "2024-06-30T00:00:00.000Z"
}
