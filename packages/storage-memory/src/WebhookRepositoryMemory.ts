import type { StorageError } from "@community-messaging/domain/shared-kernel/StorageError"
import type { WebhookId } from "@community-messaging/domain/shared-kernel/WebhookId"
import { Webhook } from "@community-messaging/domain/webhook/Webhook"
import type { WebhookPlace, WebhookRepository } from "@community-messaging/domain/webhook/WebhookRepository"
import { DateTime, Either, Option } from "effect"
import { requireThat, requireValid } from "./Constraint.ts"
import type { MemoryState } from "./MemoryState.ts"
import * as Table from "./Table.ts"
import type { Tables } from "./Tables.ts"
import { removeIfUnused } from "./UnusedAvatars.ts"

const save = (webhook: Webhook) => (tables: Tables): Either.Either<void, StorageError> =>
  Either.map(
    requireThat(Table.has(tables.channels, webhook.channelId), "save a webhook: its channel does not exist"),
    () => {
      const before = Table.get(tables.webhooks, webhook.id)
      tables.webhooks = Table.set(tables.webhooks, webhook.id, webhook)
      removeIfUnused(tables, Option.flatMap(before, ({ avatar }) => avatar))
    }
  )

const deliveryKey = (webhookId: WebhookId, deliveryId: string): string => `${webhookId}:${deliveryId.toWellFormed()}`

const isWithin = ({ channels }: Readonly<Tables>, place: WebhookPlace) => ({ channelId }: Webhook): boolean =>
  "channelId" in place
    ? channelId === place.channelId
    : Option.exists(Table.get(channels, channelId), ({ guildId }) => guildId === place.guildId)

const validWebhook = requireValid(Webhook)

/** `WebhookRepository` in memory. */
export const make = (state: typeof MemoryState.Service): typeof WebhookRepository.Service => ({
  find: (id) => state.read(({ webhooks }) => Table.get(webhooks, id)),
  save: validWebhook("save a webhook", (webhook) => state.attempt(save(webhook))),
  remove: (id) =>
    state.write((tables) => {
      const avatar = Option.flatMap(Table.get(tables.webhooks, id), (webhook) => webhook.avatar)
      tables.deliveries = Table.removePrefix(tables.deliveries, deliveryKey(id, ""))
      tables.webhooks = Table.remove(tables.webhooks, id)
      removeIfUnused(tables, avatar)
    }),
  list: ({ after, limit, within }) =>
    state.read((tables) => Table.after(tables.webhooks, after, limit, within && isWithin(tables, within))),
  recordDelivery: ({ deliveryId, receivedAt, seenSince, webhook: { id, tokenDigest } }) =>
    state.write((tables) => {
      const open = Option.filter(Table.get(tables.webhooks, id), (stored) => stored.tokenDigest === tokenDigest)
      if (Option.isNone(open)) return Option.none()
      const delivery = deliveryKey(id, deliveryId)
      const lastSeen = Table.get(tables.deliveries, delivery)
      const latest = Option.match(lastSeen, { onNone: () => receivedAt, onSome: DateTime.max(receivedAt) })
      tables.deliveries = Table.set(tables.deliveries, delivery, latest)
      return Option.exists(lastSeen, DateTime.greaterThan(seenSince)) ? Option.none() : open
    }),
  recordAnnouncement: ({ announcedAt, announcedSince, announcement, webhookId }) =>
    state.write((tables) => {
      const counterpart = deliveryKey(webhookId, announcement.counterpart)
      const isFirst = !Option.exists(Table.get(tables.deliveries, counterpart), DateTime.greaterThan(announcedSince))
      tables.deliveries = isFirst
        ? Table.set(tables.deliveries, deliveryKey(webhookId, announcement.id), announcedAt)
        : Table.remove(tables.deliveries, counterpart)
      return isFirst
    }),
  forgetDeliveries: (until, limit) =>
    state.write((tables) => {
      const old = Table.oldest(tables.deliveries, Option.some, DateTime.lessThanOrEqualTo(until), limit)
      for (const [delivery] of old) tables.deliveries = Table.remove(tables.deliveries, delivery)
      return old.length
    })
})
