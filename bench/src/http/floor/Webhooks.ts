import type { Connection, Unit } from "./Connection.ts"
import type { Credentials, Webhook } from "./Credentials.ts"
import type { Embed } from "./Embed.ts"
import type { Announcement } from "./PushEmbed.ts"
import * as Reply from "./Reply.ts"
import { codePoints, isRecordOf, isString, optional } from "./Values.ts"

const DELIVERY_MEMORY_MILLIS = 24 * 60 * 60 * 1000
const ANNOUNCEMENT_MEMORY_MILLIS = 60 * 1000

/** The display name without control characters and white space around it; empty if nothing is visible. */
const cleanName = (name: string): string => {
  const cleaned = name.replace(/[\u2028\u2029]/g, " ").replace(/[\p{Cc}\p{Bidi_Control}]/gu, "").trim()
  return /[^\s\p{Default_Ignorable_Code_Point}\u2800]/u.test(cleaned) ? cleaned : ""
}

const isName = (value: unknown): boolean => {
  if (!isString(value)) return false
  const length = codePoints(cleanName(value))
  return length >= 1 && length <= 80
}

/** The body of a change of a webhook. */
export interface WebhookChange {
  readonly name?: string
  readonly avatar?: string | null
}

const AVATAR = /^data:[^,]{0,255};base64,(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/i

const isChange = isRecordOf({
  name: optional(isName),
  avatar: optional((value) => value === null || (isString(value) && AVATAR.test(value)))
})

/** Whether the value is such a body. */
export const isWebhookChange = (value: unknown): value is WebhookChange => isChange(value)

const authorOf = ({ avatar, id, name }: Webhook) => ({
  _tag: "Webhook",
  webhookId: id,
  name,
  ...(avatar !== null && { avatar })
})

/** The operations on a webhook with its token. */
export const make = ({ appendEvent, database }: Connection, { findWebhook }: Credentials, nextId: () => string) => {
  const insertDelivery = database.prepare<[webhook: string, delivery: string, at: number]>(`
    INSERT INTO webhook_deliveries (webhook_id, delivery_id, received_at) VALUES (?, ?, ?)
    ON CONFLICT (webhook_id, delivery_id) DO NOTHING
  `)
  const refreshDelivery = database.prepare<[at: number, webhook: string, delivery: string, seenSince: number]>(`
    UPDATE webhook_deliveries SET received_at = ? WHERE webhook_id = ? AND delivery_id = ? AND received_at <= ?
  `)
  const takeCounterpart = database.prepare<[webhook: string, delivery: string, since: number]>(
    "DELETE FROM webhook_deliveries WHERE webhook_id = ? AND delivery_id = ? AND received_at > ?"
  )
  const keepAnnouncement = database.prepare<[webhook: string, delivery: string, at: number]>(`
    INSERT INTO webhook_deliveries (webhook_id, delivery_id, received_at) VALUES (?, ?, ?)
    ON CONFLICT (webhook_id, delivery_id) DO UPDATE SET received_at = excluded.received_at
  `)
  const insertMessage = database.prepare<
    [id: string, channel: string, guild: string, author: string, payload: string, at: number]
  >("INSERT INTO messages (id, channel_id, guild_id, author, payload, created_at) VALUES (?, ?, ?, ?, ?, ?)")
  const updateWebhook = database.prepare<[name: string, avatar: string | null, id: string]>(
    "UPDATE webhooks SET name = ?, avatar = ? WHERE id = ?"
  )

  /** Whether the delivery was not seen in the last day. */
  const isNew = (webhookId: string, delivery: string, now: number): boolean =>
    insertDelivery.run(webhookId, delivery, now).changes > 0 ||
    refreshDelivery.run(now, webhookId, delivery, now - DELIVERY_MEMORY_MILLIS).changes > 0

  /** Whether no other event has announced the same within the last minute. */
  const isFirst = (webhookId: string, { counterpart, id }: Announcement, now: number): boolean => {
    if (takeCounterpart.run(webhookId, counterpart, now - ANNOUNCEMENT_MEMORY_MILLIS).changes > 0) return false
    keepAnnouncement.run(webhookId, id, now)
    return true
  }

  const insert = (webhook: Webhook, embed: Embed, now: number): void => {
    const id = nextId()
    const author = authorOf(webhook)
    const payload = { content: "", embeds: [embed], allowedMentions: { parse: [] }, flags: 0 }
    const { channelId, guildId } = webhook
    insertMessage.run(id, channelId, guildId, JSON.stringify(author), JSON.stringify(payload), now)
    appendEvent(now, {
      _tag: "message.created",
      version: 1,
      message: { id, channelId, guildId, author, payload, createdAt: new Date(now).toISOString() }
    })
  }

  return {
    /** Posts the embed, unless the delivery was seen before or another event has announced the same. */
    post: (webhookId: string, delivery: string, embed: Embed | undefined, announcement?: Announcement): Unit => () => {
      const webhook = findWebhook(webhookId)
      if (webhook === undefined) return Reply.UNKNOWN_WEBHOOK
      const now = Date.now()
      if (delivery !== "" && !isNew(webhookId, delivery, now)) return Reply.NO_CONTENT
      if (embed === undefined) return Reply.NO_CONTENT
      if (announcement !== undefined && !isFirst(webhookId, announcement, now)) return Reply.NO_CONTENT
      insert(webhook, embed, now)
      return Reply.NO_CONTENT
    },

    /** Changes name and avatar. An avatar can only be removed. */
    update: (webhookId: string, token: string, change: WebhookChange): Unit => () => {
      const webhook = findWebhook(webhookId)
      if (webhook === undefined) return Reply.UNKNOWN_WEBHOOK
      const name = change.name === undefined ? webhook.name : cleanName(change.name)
      const avatar = change.avatar === undefined ? webhook.avatar : change.avatar
      const { channelId, guildId, id } = webhook
      if (name !== webhook.name || avatar !== webhook.avatar) {
        updateWebhook.run(name, avatar, id)
        appendEvent(Date.now(), {
          _tag: "webhook.updated",
          version: 1,
          webhookId: id,
          guildId,
          channelId,
          name,
          ...(avatar !== null && { avatar })
        })
      }
      return Reply.json(200, { id, guild_id: guildId, channel_id: channelId, name, token, avatar })
    }
  }
}
