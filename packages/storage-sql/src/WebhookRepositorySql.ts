import type { WebhookId } from "@community-messaging/domain/shared-kernel/WebhookId"
import type { Announcement } from "@community-messaging/domain/webhook/Announcement"
import { AvatarHash } from "@community-messaging/domain/webhook/Avatar"
import { Webhook } from "@community-messaging/domain/webhook/Webhook"
import type { WebhookPlace, WebhookRepository } from "@community-messaging/domain/webhook/WebhookRepository"
import { DateTime, Effect, Option, Schema } from "effect"
import { column, nullable } from "./Column.ts"
import type { Database } from "./Database.ts"
import * as Rows from "./Rows.ts"
import { attempt } from "./SqlFailure.ts"
import { type Fragment, fragment } from "./Statements.ts"
import * as Table from "./Table.ts"

const WebhookRow = Schema.Struct({
  id: Webhook.fields.id,
  guildId: column("guild_id", Webhook.fields.guildId),
  channelId: column("channel_id", Webhook.fields.channelId),
  name: Webhook.fields.name,
  avatar: nullable("avatar", AvatarHash),
  tokenDigest: column("token_digest", Webhook.fields.tokenDigest)
})

const decodeProfile = Rows.decodeFirst(
  "webhooks",
  Schema.Struct({ name: Webhook.fields.name, avatar: nullable("avatar", AvatarHash) })
)

/** Returns the same key for the two announcements of a change. */
const pairOf = (webhookId: WebhookId, { counterpart, id }: Announcement): string =>
  ["announcement", webhookId, ...[id, counterpart].toSorted()].join(":").toWellFormed()

const conditionOf = (place: WebhookPlace): Fragment =>
  "channelId" in place
    ? fragment`AND channel_id = ${place.channelId}`
    : fragment`AND channel_id IN (SELECT channels.id FROM channels WHERE channels.guild_id = ${place.guildId})`

/** `WebhookRepository` in SQL. */
export const make = (
  { dialect, lock, send, sql, write }: typeof Database.Service
): typeof WebhookRepository.Service => {
  const webhooks = Table.make({ send, sql }, {
    name: "webhooks",
    row: WebhookRow,
    snowflakes: ["id", "guild_id", "channel_id"]
  })
  return {
    find: (id) => attempt("find a webhook")(webhooks.first`WHERE id = ${id}`),
    save: (webhook) => write(attempt("save a webhook")(webhooks.save(webhook))),
    remove: (id) => write(sql`DELETE FROM webhooks WHERE id = ${id}`).pipe(Effect.asVoid, attempt("remove a webhook")),
    list: ({ within, ...page }) => attempt("list webhooks")(webhooks.page(page, within && conditionOf(within))),
    recordDelivery: Effect.fnUntraced(
      function*({ deliveryId, receivedAt, seenSince, webhook: { id, tokenDigest } }) {
        const delivery = deliveryId.toWellFormed()
        const at = DateTime.toEpochMillis(receivedAt)
        // One statement decides, so that exactly one of several callers is the first.
        const first = yield* sql`
          INSERT INTO webhook_deliveries (webhook_id, delivery_id, received_at)
          SELECT webhooks.id, ${delivery}, ${at} FROM webhooks WHERE webhooks.id = ${id} AND token_digest = ${tokenDigest}
          ON CONFLICT (webhook_id, delivery_id) DO UPDATE SET received_at = excluded.received_at
          WHERE webhook_deliveries.received_at <= ${DateTime.toEpochMillis(seenSince)}
          RETURNING (SELECT name FROM webhooks WHERE webhooks.id = ${id}) AS name,
            (SELECT avatar FROM webhooks WHERE webhooks.id = ${id}) AS avatar
        `
        if (first.length > 0) return yield* decodeProfile(first)
        yield* sql`
          UPDATE webhook_deliveries SET received_at = ${at}
          WHERE webhook_id = ${id} AND delivery_id = ${delivery} AND received_at < ${at}
            AND EXISTS (SELECT 1 FROM webhooks WHERE webhooks.id = ${id} AND token_digest = ${tokenDigest})
        `
        return Option.none()
      },
      write,
      attempt("record a delivery")
    ),
    recordAnnouncement: Effect.fnUntraced(
      function*({ announcedAt, announcedSince, announcement, webhookId }) {
        // Without the lock, two announcements that are recorded at the same time would not see each other.
        yield* lock([{ key: pairOf(webhookId, announcement), shared: false }])
        const paired = yield* sql`
          DELETE FROM webhook_deliveries
          WHERE webhook_id = ${webhookId} AND delivery_id = ${announcement.counterpart.toWellFormed()}
            AND received_at > ${DateTime.toEpochMillis(announcedSince)}
          RETURNING 1
        `
        if (paired.length > 0) return false
        const at = DateTime.toEpochMillis(announcedAt)
        yield* sql`
          INSERT INTO webhook_deliveries (webhook_id, delivery_id, received_at)
          VALUES (${webhookId}, ${announcement.id.toWellFormed()}, ${at})
          ON CONFLICT (webhook_id, delivery_id) DO UPDATE SET received_at = ${at}
        `
        return true
      },
      write,
      attempt("record an announcement")
    ),
    forgetDeliveries: (until, limit) =>
      write(sql`
        WITH expired AS MATERIALIZED (
          SELECT webhook_id, delivery_id FROM webhook_deliveries
          WHERE received_at <= ${DateTime.toEpochMillis(until)}
          ORDER BY received_at LIMIT ${limit} ${dialect.skipLocked}
        )
        DELETE FROM webhook_deliveries
        WHERE (webhook_id, delivery_id) IN (SELECT expired.webhook_id, expired.delivery_id FROM expired) RETURNING 1
      `).pipe(
        Effect.map((forgotten) => forgotten.length),
        attempt("forget deliveries")
      )
  }
}
