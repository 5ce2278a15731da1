import type { Database } from "better-sqlite3"
import * as Reply from "./Reply.ts"

const STATUSES = new Set(["pending", "invalid", "scheduled", "sent", "failed", "cancelled"])

interface Row {
  readonly id: string
  readonly channel_id: string
  readonly scheduled_at: number
  readonly scheduled_local_at: string
  readonly timezone: string
  readonly status: string
  readonly status_reason: string | null
  readonly payload: string
  readonly created_at: number
  readonly invalidated_at: number | null
}

const COLUMNS = `CAST(m.id AS TEXT) AS id, CAST(channel_id AS TEXT) AS channel_id, scheduled_at, scheduled_local_at,
  timezone, status, status_reason, payload, created_at, invalidated_at`

/** Payload fields of several words: their names in the database and in the API. */
const SNAKE_CASE = new Map([
  ["allowedMentions", "allowed_mentions"],
  ["contentHash", "content_hash"],
  ["contentType", "content_type"],
  ["expiresAt", "expires_at"],
  ["favoriteMemeId", "favorite_meme_id"],
  ["iconUrl", "icon_url"],
  ["messageReference", "message_reference"],
  ["proxyIconUrl", "proxy_icon_url"],
  ["proxyUrl", "proxy_url"],
  ["repliedUser", "replied_user"],
  ["stickerIds", "sticker_ids"]
])
const SEVERAL_WORDS = /"[a-z]+[A-Z]/

const renamed = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(renamed)
  if (typeof value !== "object" || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([name, part]) => [SNAKE_CASE.get(name) ?? name, renamed(part)]))
}

/** The payload of the API, from its stored JSON. */
const payloadOf = (json: string): unknown => {
  const payload: unknown = JSON.parse(json)
  return SEVERAL_WORDS.test(json) ? renamed(payload) : payload
}

const resourceOf = (row: Row) => ({
  ...row,
  scheduled_at: new Date(row.scheduled_at).toISOString(),
  payload: payloadOf(row.payload),
  created_at: new Date(row.created_at).toISOString(),
  invalidated_at: row.invalidated_at === null ? null : new Date(row.invalidated_at).toISOString()
})

/** Lists scheduled messages. */
export const make = (database: Database) => {
  const undelivered = database.prepare<[author: string], Row>(`
    SELECT ${COLUMNS} FROM scheduled_messages m
    WHERE author_id = ? AND status IN ('pending', 'scheduled', 'invalid', 'failed') ORDER BY scheduled_at, m.id
  `)
  const inStatus = database.prepare<[author: string, statuses: string], Row>(`
    SELECT ${COLUMNS} FROM scheduled_messages m
    WHERE author_id = ? AND status IN (SELECT value FROM json_each(?)) ORDER BY scheduled_at DESC, m.id DESC LIMIT 100
  `)

  return {
    /** The messages of that author; those in the statuses that the query names, or all that are not delivered. */
    list: (authorId: string, query: string): Reply.Reply => {
      if (query === "") return Reply.json(200, undelivered.all(authorId).map(resourceOf))
      const statuses = new URLSearchParams(query).getAll("status")
      if (!statuses.every((status) => STATUSES.has(status))) return Reply.INVALID_FORM_BODY
      const rows = statuses.length === 0 ? undelivered.all(authorId) : inStatus.all(authorId, JSON.stringify(statuses))
      return Reply.json(200, rows.map(resourceOf))
    }
  }
}
