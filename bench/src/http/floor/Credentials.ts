import type { Database } from "better-sqlite3"
import { createHash, timingSafeEqual } from "node:crypto"
import * as Reply from "./Reply.ts"
import { isSnowflake } from "./Values.ts"

const CRC_TABLE = Uint32Array.from({ length: 256 }, (_, byte) => {
  let crc = byte
  for (let bit = 0; bit < 8; bit += 1) crc = (crc >>> 1) ^ ((crc & 1) === 1 ? 0xedb88320 : 0)
  return crc
})

/** CRC-32 in base64url. */
const checksum = (text: string): string => {
  let crc = 0xffffffff
  for (let index = 0; index < text.length; index += 1) {
    crc = (crc >>> 8) ^ (CRC_TABLE[(crc ^ text.charCodeAt(index)) & 0xff] ?? 0)
  }
  const bytes = Buffer.alloc(4)
  bytes.writeUInt32BE(~crc >>> 0)
  return bytes.toString("base64url")
}

const BODY_LENGTH = 47
const TOKEN_LENGTH = 53

/** SHA-256 in hexadecimal digits. */
export const digestOf = (text: string): string => createHash("sha256").update(text).digest("hex")

/** The token with that prefix and these 32 bytes. */
export const formatToken = (prefix: string, entropy: Buffer): string => {
  const body = `${prefix}${entropy.toString("base64url")}`
  return `${body}${checksum(body)}`
}

/** The digest of a token with that prefix; `undefined` if its checksum is wrong. */
const digestOfToken = (prefix: string, token: string): string | undefined =>
  token.length === TOKEN_LENGTH && token.startsWith(prefix) &&
    checksum(token.slice(0, BODY_LENGTH)) === token.slice(BODY_LENGTH)
    ? digestOf(token)
    : undefined

const areEqual = (self: string, that: string): boolean => timingSafeEqual(Buffer.from(self), Buffer.from(that))

const AUTHORIZATION = /^([^\s]+) +([^\s]+) *$/

/** The digest of the token in an `Authorization` header of that scheme. */
const digestIn = (authorization: string | undefined, scheme: string, prefix: string): string | undefined => {
  const [, found, token] = AUTHORIZATION.exec(authorization ?? "") ?? []
  return found?.toLowerCase() === scheme && token !== undefined ? digestOfToken(prefix, token) : undefined
}

/** The fields of an admin key that the operations need. */
export interface AdminKey {
  readonly id: string
  readonly name: string
  readonly acls: ReadonlyArray<string>
}

/** A webhook, without its token. */
export interface Webhook {
  readonly id: string
  readonly guildId: string
  readonly channelId: string
  readonly name: string
  readonly avatar: string | null
}

/** The caller of a request, or the reply that refuses it. */
type Identified<A> = { readonly caller: A } | { readonly refusal: Reply.Reply }

const refused = (refusal: Reply.Reply) => ({ refusal })

const acls = (json: string): ReadonlyArray<string> => {
  const parsed: unknown = JSON.parse(json)
  return Array.isArray(parsed) ? parsed.map(String) : []
}

/** Finds the caller of a request by its token. */
export const make = (database: Database) => {
  const findBot = database.prepare<[digest: string], {
    readonly digest: string
    readonly userId: string
    readonly deletedAt: number | null
    readonly pendingDeletionAt: number | null
  }>(`
    SELECT c.digest, CAST(u.id AS TEXT) AS userId, u.deleted_at AS deletedAt, u.pending_deletion_at AS pendingDeletionAt
    FROM credentials c JOIN users u ON u.id = c.user_id
    WHERE c.digest = ? AND c.kind = 'BotToken' AND c.revoked_at IS NULL
  `)
  const findKey = database.prepare<[digest: string], {
    readonly digest: string
    readonly id: string
    readonly name: string
    readonly acls: string
  }>(`
    SELECT digest, CAST(id AS TEXT) AS id, name, acls FROM credentials
    WHERE digest = ? AND kind = 'AdminKey' AND revoked_at IS NULL
  `)
  const findWebhook = database.prepare<[id: string], Webhook & { readonly tokenDigest: string }>(`
    SELECT CAST(id AS TEXT) AS id, CAST(guild_id AS TEXT) AS guildId, CAST(channel_id AS TEXT) AS channelId, name, avatar,
      token_digest AS tokenDigest
    FROM webhooks WHERE id = ?
  `)

  return {
    /** The id of the bot account. */
    bot: (authorization: string | undefined): Identified<string> => {
      const digest = digestIn(authorization, "bot", "cmb_")
      const found = digest === undefined ? undefined : findBot.get(digest)
      if (found === undefined || digest === undefined || !areEqual(found.digest, digest) || found.deletedAt !== null) {
        return refused(Reply.unauthorized("Bot"))
      }
      return found.pendingDeletionAt === null
        ? { caller: found.userId }
        : refused(Reply.ACCOUNT_SCHEDULED_FOR_DELETION)
    },
    admin: (authorization: string | undefined): Identified<AdminKey> => {
      const digest = digestIn(authorization, "admin", "cma_")
      const found = digest === undefined ? undefined : findKey.get(digest)
      return found === undefined || digest === undefined || !areEqual(found.digest, digest)
        ? refused(Reply.unauthorized("Admin"))
        : { caller: { id: found.id, name: found.name, acls: acls(found.acls) } }
    },
    webhook: (id: string, token: string): Identified<Webhook> => {
      if (!isSnowflake(id)) return refused(Reply.INVALID_FORM_BODY)
      const found = findWebhook.get(id)
      if (found === undefined) return refused(Reply.UNKNOWN_WEBHOOK)
      const digest = digestOfToken("cmw_", token)
      return digest !== undefined && areEqual(found.tokenDigest, digest)
        ? { caller: found }
        : refused(Reply.ACCESS_DENIED)
    },
    /** The present state of the webhook. */
    findWebhook: (id: string): Webhook | undefined => findWebhook.get(id)
  }
}

/** Finds the caller of a request by its token. */
export type Credentials = ReturnType<typeof make>
