import type { WebhookId } from "@community-messaging/domain/shared-kernel/WebhookId"
import SqliteDatabase from "better-sqlite3"

/** The rows of one notification. */
interface Rows {
  readonly author: string
  readonly payload: string
  readonly event: string
}

/** The rows of a notification that the service has posted. */
export const rowsOf = (filename: string): Rows => {
  const database = new SqliteDatabase(filename, { readonly: true })
  const rows = database.prepare<[], Rows>(`
    SELECT author, payload, event FROM messages, events
    WHERE sequence = (SELECT max(sequence) FROM events) LIMIT 1
  `).get()
  database.close()
  if (rows === undefined) throw new Error("The service has posted nothing.")
  return rows
}

/** SQLite alone, which durably stores the same rows as fast as it can: the baseline of the service. */
export interface RawPosts {
  /** Inserts the rows of that many notifications, each in a transaction of its own. */
  readonly post: (howMany: number) => void
  /** Commits that many transactions that change one number: little more than the time of the disk. */
  readonly commit: (howMany: number) => void
  readonly close: () => void
}

/** Opens a file that the service has created and closed. */
export const open = (filename: string, webhookId: WebhookId, rows: Rows): RawPosts => {
  const database = new SqliteDatabase(filename)
  database.pragma("journal_mode = WAL")
  database.pragma("synchronous = FULL")
  database.pragma("foreign_keys = ON")
  const webhook = BigInt(webhookId)
  const place = database.prepare<[], { readonly channel: bigint; readonly guild: bigint }>(
    "SELECT id AS channel, guild_id AS guild FROM channels LIMIT 1"
  ).safeIntegers().get()
  const insertDelivery = database.prepare("INSERT INTO webhook_deliveries VALUES (?, ?, ?)")
  const insertMessage = database.prepare(
    "INSERT INTO messages (id, channel_id, guild_id, author, payload, created_at) VALUES (?, ?, ?, ?, ?, ?)"
  )
  const insertEvent = database.prepare("INSERT INTO events (occurred_at, event) VALUES (?, ?)")
  const touch = database.prepare("UPDATE guilds SET name = ?")
  let number = 0

  const postOne = database.transaction(() => {
    number += 1
    const now = Date.now()
    insertDelivery.run(webhook, `72d3162e-cc78-11e3-81ab-${String(number).padStart(12, "f")}`, now)
    insertMessage.run(BigInt(number), place?.channel, place?.guild, rows.author, rows.payload, now)
    insertEvent.run(now, rows.event)
  })
  const commitOne = database.transaction(() => {
    number += 1
    touch.run(String(number))
  })

  const times = (once: () => void) => (howMany: number) => {
    for (let turn = 0; turn < howMany; turn++) once()
  }
  return {
    post: times(() => postOne.immediate()),
    commit: times(() => commitOne.immediate()),
    close: () => void database.close()
  }
}
