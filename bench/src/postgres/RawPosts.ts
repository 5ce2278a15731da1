/* oxlint-disable no-await-in-loop -- A caller posts the next one when the previous one is stored. */
import type { WebhookId } from "@community-messaging/domain/shared-kernel/WebhookId"
import { Pool, type PoolClient } from "pg"

/** The rows of one notification. */
interface Rows {
  readonly author: string
  readonly payload: string
  readonly event: string
}

/** Where notifications are posted. */
interface Place {
  readonly channel_id: string
  readonly guild_id: string
}

/** PostgreSQL with `pg` alone, by named statements: the baseline of the service. */
export interface RawPosts {
  /** Stores that many notifications, each in a transaction of its own, by that many callers at once. */
  readonly post: (howMany: number, callers: number) => Promise<void>
  readonly close: () => Promise<void>
}

const one = async <Row extends object>(pool: Pool, text: string): Promise<Row> => {
  const { rows: [row] } = await pool.query<Row>(text)
  if (row === undefined) throw new Error("The service has posted nothing.")
  return row
}

/** Opens a database that the service has created, and in which it has posted a notification. */
export const open = async (url: string, webhookId: WebhookId, connections: number): Promise<RawPosts> => {
  const pool = new Pool({ connectionString: url, max: connections, options: "-c search_path=community_messaging" })
  const place = await one<Place>(pool, "SELECT id AS channel_id, guild_id FROM channels LIMIT 1")
  // The longest event is that of the notification.
  const rows = await one<Rows>(
    pool,
    `SELECT author, payload, event FROM messages,
      (SELECT event FROM events UNION ALL SELECT event FROM new_events) AS stored ORDER BY length(event) DESC LIMIT 1`
  )
  let posted = 0

  const postOne = async (client: PoolClient): Promise<void> => {
    posted += 1
    const number = posted
    const now = Date.now()
    const delivery = `72d3162e-cc78-11e3-81ab-${String(number).padStart(12, "f")}`
    await client.query("BEGIN")
    await client.query({
      name: "webhook",
      text: "SELECT id, guild_id, channel_id, name, avatar, token_digest FROM webhooks WHERE id = $1",
      values: [webhookId]
    })
    await client.query({
      name: "delivery",
      text: "INSERT INTO webhook_deliveries (webhook_id, delivery_id, received_at) VALUES ($1, $2, $3)",
      values: [webhookId, delivery, now]
    })
    await client.query({
      name: "message",
      text:
        "INSERT INTO messages (id, channel_id, guild_id, author, payload, created_at) VALUES ($1, $2, $3, $4, $5, $6)",
      values: [number, place.channel_id, place.guild_id, rows.author, rows.payload, now]
    })
    await client.query({
      name: "event",
      text: "INSERT INTO events (occurred_at, event) VALUES ($1, $2)",
      values: [now, rows.event]
    })
    await client.query("COMMIT")
  }

  return {
    post: async (howMany, callers) => {
      let left = howMany
      const caller = async () => {
        while (left > 0) {
          left -= 1
          const client = await pool.connect()
          try {
            await postOne(client)
          } finally {
            client.release()
          }
        }
      }
      await Promise.all(Array.from({ length: callers }, caller))
    },
    close: () => pool.end()
  }
}
