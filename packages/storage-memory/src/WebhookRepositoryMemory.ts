import type { ChannelId } from "@community-messaging/domain/guild/Channel"
import type { StorageError } from "@community-messaging/domain/shared-kernel/StorageError"
import type { WebhookId } from "@community-messaging/domain/shared-kernel/WebhookId"
import { Webhook } from "@community-messaging/domain/webhook/Webhook"
import { type WebhookPlace, WebhookRepository } from "@community-messaging/domain/webhook/WebhookRepository"
import { DateTime, Effect, Either, Layer, Option } from "effect"
import { requireThat, requireValid } from "./Constraint.ts"
import { MemoryState } from "./MemoryState.ts"
import * as Table from "./Table.ts"
import type { Tables } from "./Tables.ts"
import { removeIfUnused } from "./UnusedAvatars.ts"

const save = (tables: Tables, webhook: Webhook): Either.Either<Tables, StorageError> =>
  Either.gen(function*() {
    yield* requireThat(Table.has(tables.channels, webhook.channelId), "save a webhook: its channel does not exist")
    const before = Table.get(tables.webhooks, webhook.id)
    const saved = { ...tables, webhooks: Table.set(tables.webhooks, webhook.id, webhook) }
    return removeIfUnused(saved, Option.flatMap(before, ({ avatar }) => avatar))
  })

const deliveryKey = (webhookId: WebhookId, deliveryId: string): string => `${webhookId}:${deliveryId.toWellFormed()}`

const removeWebhook = (tables: Tables, id: WebhookId): Tables =>
  Option.match(Table.get(tables.webhooks, id), {
    onNone: () => tables,
    onSome: ({ avatar }) =>
      removeIfUnused({
        ...tables,
        deliveries: Table.removePrefix(tables.deliveries, deliveryKey(id, "")),
        webhooks: Table.remove(tables.webhooks, id)
      }, avatar)
  })

/** Removes the webhooks of the channel and their deliveries. */
export const removeWebhooksOf = (tables: Tables, channelId: ChannelId): Tables =>
  Table.rows(tables.webhooks)
    .filter((webhook) => webhook.channelId === channelId)
    .reduce((left, { id }) => removeWebhook(left, id), tables)

const isWithin = ({ channels }: Tables, place: WebhookPlace) => ({ channelId }: Webhook): boolean =>
  "channelId" in place
    ? channelId === place.channelId
    : Option.exists(Table.get(channels, channelId), ({ guildId }) => guildId === place.guildId)

/** `WebhookRepository` in memory. */
export const layer: Layer.Layer<WebhookRepository, never, MemoryState> = Layer.effect(
  WebhookRepository,
  Effect.map(MemoryState, (state) => ({
    find: (id) => state.read(({ webhooks }) => Table.get(webhooks, id)),
    save: requireValid("save a webhook", Webhook, (webhook) => state.update((tables) => save(tables, webhook))),
    remove: (id) => state.update((tables) => Either.right(removeWebhook(tables, id))),
    list: ({ after, limit, within }) =>
      state.read((tables) => Table.after(tables.webhooks, after, limit, within && isWithin(tables, within))),
    recordDelivery: ({ deliveryId, receivedAt, seenSince, webhook: { id, tokenDigest } }) =>
      state.modify((tables) => {
        const isOpen = Option.exists(Table.get(tables.webhooks, id), (stored) => stored.tokenDigest === tokenDigest)
        if (!isOpen) return Either.right([false, tables])
        const delivery = deliveryKey(id, deliveryId)
        const lastSeen = Table.get(tables.deliveries, delivery)
        const latest = Option.match(lastSeen, { onNone: () => receivedAt, onSome: DateTime.max(receivedAt) })
        return Either.right([
          !Option.exists(lastSeen, DateTime.greaterThan(seenSince)),
          { ...tables, deliveries: Table.set(tables.deliveries, delivery, latest) }
        ])
      }),
    recordAnnouncement: ({ announcedAt, announcedSince, announcement, webhookId }) =>
      state.modify((tables) => {
        const counterpart = deliveryKey(webhookId, announcement.counterpart)
        const isFirst = !Option.exists(Table.get(tables.deliveries, counterpart), DateTime.greaterThan(announcedSince))
        const deliveries = isFirst
          ? Table.set(tables.deliveries, deliveryKey(webhookId, announcement.id), announcedAt)
          : Table.remove(tables.deliveries, counterpart)
        return Either.right([isFirst, { ...tables, deliveries }])
      }),
    forgetDeliveries: (until, limit) =>
      state.modify((tables) => {
        const old = Table.oldest(tables.deliveries, Option.some, DateTime.lessThanOrEqualTo(until), limit)
        return Either.right([old.length, { ...tables, deliveries: Table.removeAll(tables.deliveries, old) }])
      })
  }))
)
